declare module 'virtual:scenario-texts' {
  /** HTML of stories and lessons by number, made by web/build/scenarios.ts. */
  export const texts: readonly string[];
  /**
   * All rows of each scenario's reproduction, by scenario id;
   * features/evidence/reported-panel.tsx has the type.
   */
  export const reproductions: unknown;
}
