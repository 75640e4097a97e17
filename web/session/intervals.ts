// The intervals of a run, as the engine computes them: from the telemetry block during the run, then from the run
// result. Nothing about them is computed here.
import type { EngineInterval } from '../contract/engine-interval';
import type { RunResult } from '../contract/run-result';
import { intervalOfEngine } from '../engine-client/engine-json';
import type { NewLines } from '../engine-client/snapshot';

/** Ten minutes; of a longer run the oldest are dropped while it goes on. */
export const INTERVALS_KEPT = 600;

/** One whose length is known. */
export type Interval = EngineInterval;

export function extendIntervals(intervals: readonly Interval[], { lines }: NewLines): readonly Interval[] {
  if (lines.length === 0) return intervals;
  return [...intervals, ...lines.map(intervalOfEngine)].slice(-INTERVALS_KEPT);
}

/** All intervals of a finished run. An older file does not have their lengths. */
export function intervalsOf({ intervals }: RunResult): readonly Interval[] {
  return intervals.map((interval, index) => ({
    ...interval,
    seconds: interval.seconds ?? interval.t_s - (intervals[index - 1]?.t_s ?? 0),
  }));
}
