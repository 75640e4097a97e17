// Selects the part of a run that a comparison measures: the run without its warm-up.
import { cumsum, mean, sum, variance } from 'd3-array';

import type { MeasurableInterval, MeasuredPart } from '../../contract/experiment-outcome';
import { settledFrom, windowFrom, type Totals } from '../rate-window';
import { studentT } from './student';

interface PartOptions {
  /** Measure from here; null: detect the warm-up and omit it. */
  fromS: number | null;
  /** Time of the run's last action. Measurement starts at or after it. */
  earliestS: number;
  toS: number;
  intervalS: number;
  clients: number;
}

/** As a share of the interval's length. Lengths have six digits, and an end is a sum of many. */
const ROUNDING = 1e-3;
/** Maximum delay of an interval's end, as a share of its length. */
export const LATE_SHARE = 0.25;

interface TimedInterval extends MeasurableInterval {
  beganS: number;
}

/**
 * Detects the warm-up if no beginning is given. Omits each client's transaction in progress at the
 * last action, then the part that MSER-5 omits. The rest is as long as a rate needs by
 * the page's rule (rate-window.ts).
 */
export function measuredPart(intervals: readonly MeasurableInterval[], options: PartOptions): MeasuredPart {
  const inside = intervalsWithin(intervals, options);
  const { fromS, clients } = options;
  const counted = fromS === null ? withoutWarmUp(inside, clients) : { intervals: inside, isSteady: true };
  return { ...figuresOf(counted.intervals), is_steady: counted.isSteady };
}

function intervalsWithin(
  intervals: readonly MeasurableInterval[],
  { fromS, earliestS, toS, intervalS }: PartOptions,
): TimedInterval[] {
  const slackS = intervalS * ROUNDING;
  return intervals
    .map((interval, i) => ({ ...interval, beganS: intervals[i - 1]?.t_s ?? 0 }))
    .filter(
      ({ beganS, t_s }) => beganS >= (fromS ?? earliestS) - slackS && t_s <= toS + intervalS * LATE_SHARE,
    );
}

function withoutWarmUp(intervals: readonly TimedInterval[], clients: number) {
  if (intervals.length === 0) return { intervals, isSteady: false };
  const totals = totalsOf(intervals);
  const last = intervals.length;
  const settled = settledFrom(totals, { first: 0, last, clients });
  const { values, isSteady } = warmUpOf(intervals.slice(settled ?? 0).map(({ tps }) => tps));
  const begin = (settled ?? 0) + values;
  const wantedS = Number.POSITIVE_INFINITY;
  const { from, hasEnough } = windowFrom(totals, { begin, last, clients, wantedS });
  return { intervals: intervals.slice(from), isSteady: settled !== null && isSteady && hasEnough };
}

/** Returns totals at the beginning of the first interval, and at the end of each. */
function totalsOf(intervals: readonly TimedInterval[]): Totals {
  const ended = cumsum(intervals, ({ tps, t_s, beganS }) => tps * (t_s - beganS));
  return {
    tS: Float64Array.of(intervals[0]!.beganS, ...intervals.map(({ t_s }) => t_s)),
    transactions: Float64Array.of(0, ...ended.map(Math.round)),
  };
}

function figuresOf(intervals: readonly TimedInterval[]): Omit<MeasuredPart, 'is_steady'> {
  let seconds = 0;
  let transactions = 0;
  let weightedP99Ms = 0;
  for (const { beganS, t_s, tps, latency_ms } of intervals) {
    const lengthS = t_s - beganS;
    seconds += lengthS;
    transactions += tps * lengthS;
    weightedP99Ms += tps * lengthS * latency_ms.p99;
  }
  return {
    from_s: intervals[0]?.beganS ?? 0,
    seconds,
    transactions: Math.round(transactions),
    tps: seconds > 0 ? transactions / seconds : 0,
    p99_ms: transactions > 0 ? weightedP99Ms / transactions : null,
  };
}

const BATCH = 5;
/** Halves that differ by less count as equal, however certain the difference is. */
const DIFFERENCE_MAX = 0.05;

interface WarmUp {
  /** Number of values of the warm-up, at the beginning. */
  values: number;
  /** No difference is detectable between the means of the rest's two halves. */
  isSteady: boolean;
}

/**
 * Finds the end of a warm-up by MSER-5 (K. P. White, Simulation 69(6), 1997). The batches of five
 * follow White, Cobb and Spratt (Winter Simulation Conference 2000). A t-test of halves decides
 * whether the rest is steady.
 *
 * Omits the number of batches, at most half of them, that minimizes the standard error of the mean.
 * The error grows with a batch that is far from the later ones, and with a smaller number of
 * batches.
 */
export function warmUpOf(values: readonly number[]): WarmUp {
  const batches = Array.from({ length: Math.floor(values.length / BATCH) }, (_, batch) =>
    mean(values.slice(batch * BATCH, (batch + 1) * BATCH))!,
  );
  const leftOut = Array.from({ length: Math.floor(batches.length / 2) + 1 }, (_, count) => count);
  const errors = leftOut.map((count) => squaredError(batches.slice(count)));
  const best = Math.max(0, errors.indexOf(Math.min(...errors)));
  return { values: best * BATCH, isSteady: isSteady(batches.slice(best)) };
}

/** Returns the squared standard error of the mean, up to a constant factor. */
function squaredError(batches: readonly number[]): number {
  const center = mean(batches) ?? 0;
  return sum(batches, (value) => (value - center) ** 2) / batches.length ** 2;
}

/** Returns false if a half has fewer than two batches. */
function isSteady(batches: readonly number[]): boolean {
  const middle = Math.floor(batches.length / 2);
  const [early, late] = [batches.slice(0, middle), batches.slice(middle)];
  if (early.length < 2) return false;
  const difference = Math.abs(mean(late)! - mean(early)!);
  if (difference <= DIFFERENCE_MAX * mean(batches)!) return true;
  const error = Math.sqrt(variance(early)! / early.length + variance(late)! / late.length);
  return difference <= studentT(batches.length - 2) * error;
}
