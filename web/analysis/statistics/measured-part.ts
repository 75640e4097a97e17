// The part of a run that shows what a comparison is about: without its warm-up.
import { cumsum } from 'd3-array';

import type { MeasuredPart, MeasurableInterval } from '../../contract/experiment-outcome';
import { settledFrom, windowFrom, type Totals } from '../rate-window';
import { warmUpOf } from './warm-up';

interface PartOptions {
  /** From here on all counts; null: what is of the warm-up is left out. */
  from_s: number | null;
  /** The last action of the run: there is nothing to be measured before it. */
  earliest_s: number;
  to_s: number;
  interval_s: number;
  clients: number;
}

/** Of an interval's length: it is given to six digits, and an end is a sum of many. */
const ROUNDING = 1e-3;
/** An interval may close so much later than planned, as a share of its length. */
export const LATE_SHARE = 0.25;

interface TimedInterval extends MeasurableInterval {
  began_s: number;
}

/**
 * The rule for the warm-up, where no beginning is stated: what each client had begun before the last action is left out, then what
 * MSER-5 says (warm-up.ts). What is left is as long as a rate needs, by the rule that all of the page follows (rate-window.ts).
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

/** At the beginning of the first interval, and at the end of each. */
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
