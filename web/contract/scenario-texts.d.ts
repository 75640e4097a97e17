declare module 'virtual:scenario-texts' {
  import type { ReproductionRow } from './manifest';

  /** The HTML of stories and lessons by number, made by web/build/scenarios.ts. */
  export const texts: readonly string[];
  /** All rows of the reproduction of each scenario, by its id. */
  export const reproductions: Readonly<Record<string, readonly ReproductionRow[]>>;
}
