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

declare module 'virtual:scenario-texts/more-reports' {
  /**
   * The reports of scenarios/more-reports/ that have a stored band: a list of `ShownReport` of
   * contract/scenario-files/more-reports.ts.
   */
  export const reports: unknown;
}

declare module 'virtual:scenario-texts/report-sources' {
  /** The workload files of scenarios/more-reports/, by report. */
  export const sources: Readonly<Record<string, string>>;
}
