import type { LatchFigures, LatchRow } from '../contract/live-view';
import { contendedShare } from './latch-table';

/** A place in the source that takes a latch, under InnoDB's names. */
export interface SiteName {
  latch: string;
  function: string;
}

/** What a run result says of a latch site. */
export interface SiteTotals extends Pick<LatchFigures, 'acquisitions' | 'contended' | 'waits' | 'wait_ns'> {
  latch: string;
  site: string;
}

/** What stands beside a line that takes latches. Null where nothing was seen, or over a whole run. */
export interface LineFigures {
  acquisitions: number;
  per_s: number | null;
  /** Part of the acquisitions that did not find the latch free. */
  contended_share: number | null;
  /** Of those that went to sleep. */
  mean_wait_ns: number | null;
}

/** What the sites of a line did within the window of the latch table; null before anything was seen. */
export function lineFiguresNow(rows: readonly LatchRow[], sites: readonly SiteName[]): LineFigures | null {
  const found = sites.flatMap(({ latch, function: taken_by }) =>
    rows
      .filter((row) => row.latch === latch)
      .flatMap((row) => row.sites.filter((site) => site.function === taken_by)),
  );
  if (found.length === 0) return null;
  const rates = found.map(({ acquisitions_per_s }) => acquisitions_per_s).filter((rate) => rate !== null);
  return { ...figuresOf(found), per_s: rates.length === 0 ? null : sum(rates) };
}

/** The same of a whole run, as its result says; null if none of the sites was ever come by. */
export function lineFiguresOfRun(
  totals: readonly SiteTotals[],
  sites: readonly SiteName[],
): LineFigures | null {
  const found = totals.filter((one) =>
    sites.some(({ latch, function: taken_by }) => one.latch === latch && one.site === taken_by),
  );
  return found.length === 0 ? null : { ...figuresOf(found), per_s: null };
}

type Sums = Pick<SiteTotals, 'acquisitions' | 'contended' | 'waits' | 'wait_ns'>;

function figuresOf(found: readonly Sums[]): Omit<LineFigures, 'per_s'> {
  const total = (field: keyof Sums) => sum(found.map((one) => one[field]));
  const acquisitions = total('acquisitions');
  const waits = total('waits');
  return {
    acquisitions,
    contended_share: contendedShare({ acquisitions, contended: total('contended') }),
    mean_wait_ns: waits > 0 ? total('wait_ns') / waits : null,
  };
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
