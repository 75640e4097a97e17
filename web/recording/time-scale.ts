// Defines the time spans of charts, tiles and tables.
import type { RunSpec } from '../contract/run-spec';

/** The spans of run time over which figures are computed: real seconds, or virtual milliseconds. */
export interface TimeScale {
  isVirtual: boolean;
  /** Interval of sysbench's reports. */
  intervalS: number;
  /**
   * Run time between two rows of the history, on a virtual server; null on a real one, which is
   * read about ten times per second.
   */
  rowS: number | null;
  /** Window of the rates and percentiles at one point of a line. */
  pointWindowS: number;
  /** Window of the tiles. */
  nowWindowS: number;
  /** Window of the tables. */
  tableWindowS: number;
  /** Initial range of the charts; it grows with the run. */
  rangeS: number;
}

const realTime: TimeScale = {
  isVirtual: false,
  intervalS: 1,
  rowS: null,
  pointWindowS: 0.5,
  nowWindowS: 1,
  tableWindowS: 5,
  rangeS: 30,
};

export function timeScaleOf({
  platform,
  interval_s = 1,
  duration_s,
}: Pick<RunSpec, 'platform' | 'interval_s' | 'duration_s'>): TimeScale {
  if (platform === 'threads') return { ...realTime, intervalS: interval_s };
  const sampleS = Math.min(interval_s, 1, duration_s ?? Number.POSITIVE_INFINITY);
  return {
    isVirtual: true,
    intervalS: interval_s,
    rowS: sampleS / 40,
    pointWindowS: sampleS / 4,
    nowWindowS: sampleS,
    tableWindowS: 5 * sampleS,
    rangeS: duration_s ?? 2 * sampleS,
  };
}

/** A range of run time. */
export interface TimeRange {
  fromS: number;
  toS: number;
}

/** Close to each other, so that little of an axis is empty after it has grown. */
const rangeSteps = [1, 1.25, 1.5, 2, 2.5, 3, 4, 5, 6, 8];

/**
 * Returns the run time that a chart shows: the whole run so far, or the time since `from_s`, such
 * as the last mark. During the run the axis grows in round steps.
 */
export function chartRange(
  { rangeS }: Pick<TimeScale, 'rangeS'>,
  endS: number,
  isFinished: boolean,
  fromS = 0,
): TimeRange {
  const spanS = Math.max(0, endS - fromS);
  if (isFinished) return { fromS, toS: fromS + Math.max(spanS, rangeS / 100) };
  // Right after a mark there is little to show.
  const firstS = fromS === 0 ? rangeS : rangeS / 10;
  return { fromS, toS: fromS + (spanS > firstS ? roundUp(spanS) : firstS) };
}

function roundUp(value: number): number {
  const decade = 10 ** Math.floor(Math.log10(value));
  return decade * (rangeSteps.find((step) => step * decade >= value) ?? 10);
}
