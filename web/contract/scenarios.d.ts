declare module 'virtual:scenarios' {
  /** Every folder of scenarios/, read and checked by web/build/scenarios.ts; all-scenarios.ts knows the type. */
  export const scenarios: unknown;
  /** What scenarios/servers.json says; servers.ts knows the type. */
  export const servers: unknown;
}
