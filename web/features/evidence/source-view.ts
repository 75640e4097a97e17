// The engine's source as the page shows it, extracted when the page is built (web/build/source-views.ts).
import { source_views } from 'virtual:source-views';

import type { SiteName } from '../../analysis/source-figures';

/** One line of a function. */
export interface SourceLine {
  number: number;
  /** Coloured by classes, escaped. */
  html: string;
  /** False where the shown variant never comes by. */
  is_run: boolean;
  /** Latch sites that this line is: their counts belong beside it. */
  sites?: SiteName[];
  /** Counters that this line adds to. */
  counters?: string[];
  /** Lines of the engine's source that share these counts, this one included; given where there are several. */
  places?: number;
}

export interface SourceFunction {
  /** From the root of the project. */
  file: string;
  name: string;
  lines: SourceLine[];
}

/** By knob and variant: the functions that carry it out. */
export type SourceView = Record<string, Record<string, SourceFunction[]>>;

/** Loads what the page was built with for a scenario. */
export async function loadSourceView(scenario: string): Promise<SourceView> {
  const load = (source_views as Record<string, (() => Promise<{ view: SourceView }>) | undefined>)[scenario];
  if (load === undefined) throw new Error(`This build has no source for ${scenario}.`);
  return (await load()).view;
}
