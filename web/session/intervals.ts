// Holds the intervals of a run. The engine computes them; during the run they come from the
// telemetry block, afterwards from the run result.
import type { EngineInterval } from '../contract/page-readings';
import type { RunResult } from '../contract/run-result';
import { intervalOfEngine } from '../engine-client/engine-json';
import type { NewLines } from '../engine-client/snapshot';

/** Ten minutes of 1 s intervals. Longer runs lose the oldest while they run. */
export const INTERVALS_KEPT = 600;

/** An interval with a known length. */
export type Interval = EngineInterval;

export function extendIntervals(intervals: readonly Interval[], { lines }: NewLines): readonly Interval[] {
  if (lines.length === 0) return intervals;
  return [...intervals, ...lines.map(intervalOfEngine)].slice(-INTERVALS_KEPT);
}

/** Returns all intervals of a finished run. Derives their lengths if an older file lacks them. */
export function intervalsOf({ intervals }: RunResult): readonly Interval[] {
  return intervals.map((interval, index) => ({
    ...interval,
    seconds: interval.seconds ?? interval.t_s - (intervals[index - 1]?.t_s ?? 0),
  }));
}
