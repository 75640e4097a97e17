declare module 'virtual:lab-exercises' {
  /** Every folder of lab/exercises, read and checked by web/build/lab-exercises.ts; all-lab-exercises.ts knows the type. */
  export const exercises: unknown;
  /** The latches that their checks compare with; all-lab-exercises.ts knows the type. */
  export const reference_latches: unknown;
}
