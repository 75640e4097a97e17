declare module 'virtual:scenario-texts' {
  /** HTML of stories and lessons by number, made by web/build/scenarios.ts. */
  export const texts: readonly string[];
  /**
   * All rows of each scenario's reproduction, by scenario id;
   * features/evidence/reported-panel.tsx has the type.
   */
  export const reproductions: unknown;
}

declare module 'virtual:scenario-texts/processor-families' {
  /**
   * Families of scenarios/plausible-servers.json; contract/scenario-files/plausible-servers.ts has
   * the type.
   */
  export const families: unknown;
}
