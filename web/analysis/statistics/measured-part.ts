// Selects the part of a run that a comparison measures: the run without its warm-up.
import { cumsum } from 'd3-array';

import type { MeasuredPart, MeasurableInterval } from '../../contract/experiment-outcome';
import { settledFrom, windowFrom, type Totals } from '../rate-window';
import { warmUpOf } from './warm-up';

interface PartOptions {
  /** Measure from here; null: detect the warm-up and omit it. */
  from_s: number | null;
  /** Time of the run's last action. Measurement starts at or after it. */
  earliest_s: number;
  to_s: number;
  interval_s: number;
  clients: number;
}

/** As a share of the interval's length. Lengths have six digits, and an end is a sum of many. */
const ROUNDING = 1e-3;
/** Maximum delay of an interval's end, as a share of its length. */
export const LATE_SHARE = 0.25;

interface TimedInterval extends MeasurableInterval {
  began_s: number;
}

/**
 * Detects the warm-up if no beginning is given. Omits each client's transaction in progress at the
 * last action, then the part that MSER-5 omits (warm-up.ts). The rest is as long as a rate needs by
 * the page's rule (rate-window.ts).
 */
export function measuredPart(intervals: readonly MeasurableInterval[], options: PartOptions): MeasuredPart {
  const inside = intervalsWithin(intervals, options);
  const { from_s, clients } = options;
  const counted = from_s === null ? withoutWarmUp(inside, clients) : { intervals: inside, is_steady: true };
  return { ...figuresOf(counted.intervals), is_steady: counted.is_steady };
}

function intervalsWithin(
  intervals: readonly MeasurableInterval[],
  { from_s, earliest_s, to_s, interval_s }: PartOptions,
): TimedInterval[] {
  const slack_s = interval_s * ROUNDING;
  return intervals
    .map((interval, i) => ({ ...interval, began_s: intervals[i - 1]?.t_s ?? 0 }))
    .filter(
      ({ began_s, t_s }) =>
        began_s >= (from_s ?? earliest_s) - slack_s && t_s <= to_s + interval_s * LATE_SHARE,
    );
}

function withoutWarmUp(intervals: readonly TimedInterval[], clients: number) {
  if (intervals.length === 0) return { intervals, is_steady: false };
  const totals = totalsOf(intervals);
  const last = intervals.length;
  const settled = settledFrom(totals, { first: 0, last, clients });
  const { values, is_steady } = warmUpOf(intervals.slice(settled ?? 0).map(({ tps }) => tps));
  const begin = (settled ?? 0) + values;
  const wanted_s = Number.POSITIVE_INFINITY;
  const { from, has_enough } = windowFrom(totals, { begin, last, clients, wanted_s });
  return { intervals: intervals.slice(from), is_steady: settled !== null && is_steady && has_enough };
}

/** Returns totals at the beginning of the first interval, and at the end of each. */
function totalsOf(intervals: readonly TimedInterval[]): Totals {
  const ended = cumsum(intervals, ({ tps, t_s, began_s }) => tps * (t_s - began_s));
  return {
    t_s: Float64Array.of(intervals[0]!.began_s, ...intervals.map(({ t_s }) => t_s)),
    transactions: Float64Array.of(0, ...ended.map(Math.round)),
  };
}

function figuresOf(intervals: readonly TimedInterval[]): Omit<MeasuredPart, 'is_steady'> {
  let seconds = 0;
  let transactions = 0;
  let weighted_p99_ms = 0;
  for (const { began_s, t_s, tps, latency_ms } of intervals) {
    const length_s = t_s - began_s;
    seconds += length_s;
    transactions += tps * length_s;
    weighted_p99_ms += tps * length_s * latency_ms.p99;
  }
  return {
    from_s: intervals[0]?.began_s ?? 0,
    seconds,
    transactions: Math.round(transactions),
    tps: seconds > 0 ? transactions / seconds : 0,
    p99_ms: transactions > 0 ? weighted_p99_ms / transactions : null,
  };
}
