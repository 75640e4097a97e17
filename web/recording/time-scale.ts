import type { RunSpec } from '../contract/run-spec';

/** The spans of run time over which numbers are computed: seconds of this machine, or virtual milliseconds. */
export interface TimeScale {
  is_virtual: boolean;
  /** What sysbench reports on. */
  interval_s: number;
  /** Run time between two rows of the history, on a virtual server; a real one is read about ten times a second. */
  row_s: number | null;
  /** Rates and percentiles of one point of a line are those of this much run time before it. */
  point_window_s: number;
  /** What the tiles show. */
  now_window_s: number;
  /** How far the tables look back. */
  table_window_s: number;
  /** What the charts show at first; they show more as a run goes on. */
  range_s: number;
}

const real_time: TimeScale = {
  is_virtual: false,
  interval_s: 1,
  row_s: null,
  point_window_s: 0.5,
  now_window_s: 1,
  table_window_s: 5,
  range_s: 30,
};

export function timeScaleOf({
  platform,
  interval_s = 1,
  duration_s,
}: Pick<RunSpec, 'platform' | 'interval_s' | 'duration_s'>): TimeScale {
  if (platform === 'threads') return { ...real_time, interval_s };
  const sample_s = Math.min(interval_s, 1, duration_s ?? Number.POSITIVE_INFINITY);
  return {
    is_virtual: true,
    interval_s,
    row_s: sample_s / 40,
    point_window_s: sample_s / 4,
    now_window_s: sample_s,
    table_window_s: 5 * sample_s,
    range_s: duration_s ?? 2 * sample_s,
  };
}

/** A part of run time. */
export interface TimeRange {
  from_s: number;
  to_s: number;
}

/** Close to each other, so that little of an axis is empty after it has grown. */
const RANGE_STEPS = [1, 1.25, 1.5, 2, 2.5, 3, 4, 5, 6, 8];

/**
 * The run time that a chart shows: all of the run so far, or all since `from_s`, such as the last mark. While the run goes on
 * the axis grows in round numbers.
 */
export function chartRange(
  { range_s }: Pick<TimeScale, 'range_s'>,
  end_s: number,
  is_finished: boolean,
  from_s = 0,
): TimeRange {
  const span_s = Math.max(0, end_s - from_s);
  if (is_finished) return { from_s, to_s: from_s + Math.max(span_s, range_s / 100) };
  // Right after a mark there is little to show.
  const first_s = from_s === 0 ? range_s : range_s / 10;
  return { from_s, to_s: from_s + (span_s > first_s ? roundUp(span_s) : first_s) };
}

function roundUp(value: number): number {
  const decade = 10 ** Math.floor(Math.log10(value));
  return decade * (RANGE_STEPS.find((step) => step * decade >= value) ?? 10);
}
