// Defines the time spans of charts, tiles and tables.
import type { RunSpec } from '../contract/run-spec';

/** The spans of run time over which figures are computed: real seconds, or virtual milliseconds. */
export interface TimeScale {
  is_virtual: boolean;
  /** Interval of sysbench's reports. */
  interval_s: number;
  /**
   * Run time between two rows of the history, on a virtual server; null on a real one, which is
   * read about ten times per second.
   */
  row_s: number | null;
  /** Window of the rates and percentiles at one point of a line. */
  point_window_s: number;
  /** Window of the tiles. */
  now_window_s: number;
  /** Window of the tables. */
  table_window_s: number;
  /** Initial range of the charts; it grows with the run. */
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

/** A range of run time. */
export interface TimeRange {
  from_s: number;
  to_s: number;
}

/** Close to each other, so that little of an axis is empty after it has grown. */
const RANGE_STEPS = [1, 1.25, 1.5, 2, 2.5, 3, 4, 5, 6, 8];

/**
 * Returns the run time that a chart shows: the whole run so far, or the time since `from_s`, such
 * as the last mark. During the run the axis grows in round steps.
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
