declare module 'virtual:lab-exercises' {
  /**
   * All folders of lab/exercises, read and checked by web/build/lab-modules.ts;
   * all-lab-exercises.ts has the type.
   */
  export const exercises: unknown;
  /** The latches that the checks compare with; all-lab-exercises.ts has the type. */
  export const reference_latches: unknown;
}
