declare module 'virtual:lab-latches' {
  /** What lab/latches/latches.json declares, checked by web/build/lab-latches.ts; all-lab-latches.ts knows the type. */
  export const latches: unknown;
  /** Of lab/literature.json, by the name of the latch that a claim names first; all-lab-latches.ts knows the type. */
  export const literature: unknown;
}
