// Loads the engine's source for display. The build extracts it (web/build/source-views.ts).
import { sourceViews } from 'virtual:source-views';

import type { SiteName } from '../../analysis/source-figures';

/** One line of a function. */
export interface SourceLine {
  number: number;
  /** Escaped, with classes for colors. */
  html: string;
  /** False if the shown variant never executes the line. */
  isRun: boolean;
  /** Latch sites of this line, whose counts are shown beside it. */
  sites?: SiteName[];
  /** Counters that this line increments. */
  counters?: string[];
  /**
   * Number of source lines that share these counts, including this one; set if there are several.
   */
  places?: number;
}

export interface SourceFunction {
  /** Path from the root of the project. */
  file: string;
  name: string;
  lines: SourceLine[];
}

/** The functions that implement each variant, by knob and variant. */
export type SourceView = Record<string, Record<string, SourceFunction[]>>;

/** Loads a scenario's source from the build. */
export async function loadSourceView(scenario: string): Promise<SourceView> {
  const load = sourceViews[scenario];
  if (load === undefined) throw new Error(`This build has no source for ${scenario}.`);
  return (await load()).view as SourceView;
}
