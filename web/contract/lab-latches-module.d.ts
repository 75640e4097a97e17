declare module 'virtual:lab-latches' {
  /**
   * Content of lab/latches/latches.json, checked by web/build/lab-modules.ts; all-lab-latches.ts
   * has the type.
   */
  export const latches: unknown;
  /**
   * Content of lab/literature.json, by the first latch that a claim names; all-lab-latches.ts has
   * the type.
   */
  export const literature: unknown;
}
