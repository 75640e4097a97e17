import type { RunSpec } from '../contract/run-spec';

/** Over which spans of run time numbers are worked out: seconds of this machine, or samples of virtual milliseconds. */
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
  /** What the tables look back on. */
  table_window_s: number;
  /** What the charts show at first; they show more as a run goes on, up to `range_max_s`. */
  range_s: number;
  range_max_s: number;
}

const real_time: TimeScale = {
  is_virtual: false,
  interval_s: 1,
  row_s: null,
  point_window_s: 0.5,
  now_window_s: 1,
  table_window_s: 5,
  range_s: 30,
  range_max_s: 30,
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
    range_max_s: Math.max(30, duration_s ?? 0),
  };
}

/** A part of run time. */
export interface TimeRange {
  from_s: number;
  to_s: number;
}

const RANGE_STEPS = [1, 2, 5];

/** The run time that a chart shows: on a virtual server from the start, in round numbers that grow with the run. */
export function chartRange(
  { is_virtual, range_s, range_max_s }: TimeScale,
  end_s: number,
  is_finished: boolean,
): TimeRange {
  const to_s = is_virtual && end_s > range_s ? roundUp(end_s) : Math.max(range_s, end_s);
  if (is_finished && is_virtual) return { from_s: 0, to_s: Math.max(end_s, range_s / 100) };
  return { from_s: is_finished ? 0 : Math.max(0, to_s - range_max_s), to_s };
}

function roundUp(value: number): number {
  const decade = 10 ** Math.floor(Math.log10(value));
  return decade * (RANGE_STEPS.find((step) => step * decade >= value) ?? 10);
}
