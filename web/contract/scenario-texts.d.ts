declare module 'virtual:scenario-texts' {
  /** The HTML of stories and lessons by number, made by web/build/scenarios.ts. */
  export const texts: readonly string[];
  /** All rows of the reproduction of each scenario, by its id; features/evidence/reproduction-panel.tsx knows the type. */
  export const reproductions: unknown;
}
