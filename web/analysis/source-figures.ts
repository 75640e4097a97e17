// Computes the figures beside source lines that acquire latches.
import { sum } from 'd3-array';

import type { LatchFigures, LatchRow } from '../contract/live-view';
import { contendedShare } from './latch-table';

/** A place in the source that acquires a latch, under InnoDB's names. */
export interface SiteName {
  latch: string;
  function: string;
}

/** Totals of a latch site, from a run result. */
interface SiteTotals extends Pick<LatchFigures, 'acquisitions' | 'contended' | 'waits' | 'wait_ns'> {
  latch: string;
  site: string;
}

/**
 * Figures beside a source line that acquires latches. null: no sample, or not available for a whole
 * run.
 */
export interface LineFigures {
  acquisitions: number;
  perS: number | null;
  /** Share of acquisitions that did not find the latch free. */
  contendedShare: number | null;
  /** Mean over the acquisitions that slept. */
  meanWaitNs: number | null;
}

/** Sums the sites of a line over the window of the latch table; null if there is no data yet. */
export function lineFiguresNow(rows: readonly LatchRow[], sites: readonly SiteName[]): LineFigures | null {
  const found = sites.flatMap(({ latch, function: takenBy }) =>
    rows
      .filter((row) => row.latch === latch)
      .flatMap((row) => row.sites.filter((site) => site.function === takenBy)),
  );
  if (found.length === 0) return null;
  const rates = found.map(({ acquisitions_per_s }) => acquisitions_per_s).filter((rate) => rate !== null);
  return { ...figuresOf(found), perS: rates.length === 0 ? null : sum(rates) };
}

/**
 * Sums the sites of a line over a whole run, from its result; null if the run reached none of them.
 */
export function lineFiguresOfRun(
  totals: readonly SiteTotals[],
  sites: readonly SiteName[],
): LineFigures | null {
  const found = totals.filter((one) =>
    sites.some(({ latch, function: takenBy }) => one.latch === latch && one.site === takenBy),
  );
  return found.length === 0 ? null : { ...figuresOf(found), perS: null };
}

type Sums = Pick<SiteTotals, 'acquisitions' | 'contended' | 'waits' | 'wait_ns'>;

function figuresOf(found: readonly Sums[]): Omit<LineFigures, 'perS'> {
  const total = (field: keyof Sums) => sum(found.map((one) => one[field]));
  const acquisitions = total('acquisitions');
  const waits = total('waits');
  return {
    acquisitions,
    contendedShare: contendedShare({ acquisitions, contended: total('contended') }),
    meanWaitNs: waits > 0 ? total('wait_ns') / waits : null,
  };
}
