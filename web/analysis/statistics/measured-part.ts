// The part of a run that shows what a comparison is about: without the time before a bug's action, and without the time
// after the run's end, in which the last transactions are waited for.

/** What a run result says of each interval. */
export interface RunInterval {
  /** When it ended. */
  t_s: number;
  tps: number;
  latency_ms: { p99: number };
}

export interface MeasuredPart {
  /** How much of the run was measured. */
  seconds: number;
  transactions: number;
  tps: number;
  /** Mean of the intervals' 99th percentiles, weighted with their transactions; null without transactions. */
  p99_ms: number | null;
}

/** An interval may close so much later than planned, as a share of its length. */
export const LATE_SHARE = 0.25;

/** Of the intervals that lie within from_s and to_s. */
export function measuredPart(
  intervals: readonly RunInterval[],
  { from_s, to_s, interval_s }: { from_s: number; to_s: number; interval_s: number },
): MeasuredPart {
  const slack_s = interval_s * 1e-6;
  let seconds = 0;
  let transactions = 0;
  let weighted_p99_ms = 0;
  let began_s = 0;
  for (const { t_s, tps, latency_ms } of intervals) {
    const length_s = t_s - began_s;
    const is_inside = began_s >= from_s - slack_s && t_s <= to_s + interval_s * LATE_SHARE;
    began_s = t_s;
    if (!is_inside) continue;
    seconds += length_s;
    transactions += tps * length_s;
    weighted_p99_ms += tps * length_s * latency_ms.p99;
  }
  return {
    seconds,
    transactions: Math.round(transactions),
    tps: seconds > 0 ? transactions / seconds : 0,
    p99_ms: transactions > 0 ? weighted_p99_ms / transactions : null,
  };
}
