declare module 'virtual:lab-names' {
  /** Written by web/build/lab-modules.ts; lab-names.ts has the types. */
  export const latch_names: unknown;
  export const exercise_names: unknown;
  export const program_to_break: unknown;
}
