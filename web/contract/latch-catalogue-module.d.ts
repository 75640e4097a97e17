declare module 'virtual:latch-catalogue' {
  /**
   * Content of scenarios/latch-catalogue.json, read and checked by web/build/latch-catalogue.ts;
   * scenario-files/latch-catalogue.ts has the type.
   */
  export const catalogue: unknown;
}
