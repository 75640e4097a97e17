declare module 'virtual:scenarios' {
  /**
   * All folders of scenarios/, read and checked by web/build/scenarios.ts; all-scenarios.ts has the
   * type.
   */
  export const scenarios: unknown;
  /** Content of scenarios/servers.json; servers.ts has the type. */
  export const servers: unknown;
}
