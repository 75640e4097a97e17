// Computes the part of a run that the charts show, and the moment under the pointer. Pure functions
// over run times.
import { bisectLeft, bisectRight, range as integers } from 'd3-array';
import { createStore, type StoreApi } from 'zustand/vanilla';

import type { HistoryRows } from '../recording/history';
import { withGuardedListeners } from '../recording/listeners';
import type { RunMark } from '../recording/run-marks';
import type { TimeRange } from '../recording/time-scale';
import type { RateScale } from './domains';

/** Maximum zoom: one part in this many of the whole. */
const ZOOM_MAX = 2000;
/** Ranges that differ by less, as a share of the whole, look the same. */
const SAME_PART = 1e-6;

/** The part of the explorer's state that changes rarely. */
export interface ChartViewport {
  /** The part of the run that the reader selected; null: the default range. */
  zoom: TimeRange | null;
  frozen: FrozenPicture | null;
  isPreviousRunShown: boolean;
  /** Scale of throughput; null: automatic. */
  rateScale: RateScale | null;
  /** The axis restarts at the last mark. */
  isSinceMark: boolean;
}

/** The picture that frozen charts show while the run continues. */
export interface FrozenPicture {
  atS: number;
  history: HistoryRows;
  marks: readonly RunMark[];
  /** The default range at that moment. */
  range: TimeRange;
}

export const initialViewport: ChartViewport = {
  zoom: null,
  frozen: null,
  isPreviousRunShown: true,
  rateScale: null,
  isSinceMark: false,
};

/** Resets the viewport to the start of another run. */
export const viewportOfNewRun = (before: ChartViewport): ChartViewport => ({
  ...before,
  zoom: null,
  frozen: null,
  isSinceMark: false,
});

/**
 * The point that the reader selects in all charts at once. It changes with every pointer move, so
 * it is a separate store.
 */
export interface Pointing {
  /** Run time of a row of the history. */
  tS: number | null;
  by: 'pointer' | 'keyboard';
  /** The range under selection by dragging. */
  brush: TimeRange | null;
}

export type PointingStore = StoreApi<Pointing>;

export const nothingPointedAt: Pointing = { tS: null, by: 'pointer', brush: null };

export const createPointingStore = (): PointingStore =>
  withGuardedListeners(createStore<Pointing>(() => nothingPointedAt));

/** Returns the rows of a range; `end` is exclusive. */
export function rowsWithin(times: Float64Array, { fromS, toS }: TimeRange): { first: number; end: number } {
  return { first: bisectLeft(times, fromS), end: bisectRight(times, toS) };
}

/** Returns the row of a range that is nearest to a moment; null if the range has no rows. */
export function nearestRow(times: Float64Array, range: TimeRange, tS: number): number | null {
  const { first, end } = rowsWithin(times, range);
  if (first >= end) return null;
  const after = Math.min(Math.max(bisectLeft(times, tS), first), end - 1);
  const before = Math.max(first, after - 1);
  // Of several rows with one time, returns the first: a gap in the lines has the time of the row
  // before it.
  return tS - times[before]! <= times[after]! - tS ? bisectLeft(times, times[before]!) : after;
}

/**
 * Returns the run time of the row that is `rows` rows after `t_s`, or before it if negative, within
 * the range. If `t_s` is null, a step forward leads to the first row, a step back to the last.
 */
export function stepRows(
  times: Float64Array,
  range: TimeRange,
  tS: number | null,
  rows: number,
): number | null {
  const { first, end } = rowsWithin(times, range);
  if (first >= end) return null;
  const clamp = (row: number) => Math.min(Math.max(row, first), end - 1);
  if (tS === null) return times[rows > 0 ? first : end - 1]!;
  // Forward from the last row with this time, backward from the first.
  const from = rows > 0 ? bisectRight(times, tS) - 1 : bisectLeft(times, tS);
  return times[clamp(from + rows)]!;
}

/**
 * Returns the marks after the previous row, up to and including this row. The last row also has all
 * later marks.
 */
export function marksAtRow<M>(
  times: Float64Array,
  row: number,
  marks: readonly M[],
  timeOf: (mark: M) => number,
): M[] {
  const beforeS = row === 0 ? Number.NEGATIVE_INFINITY : times[row - 1]!;
  const lastS = bisectRight(times, times[row]!) === times.length ? Number.POSITIVE_INFINITY : times[row]!;
  return marks.filter((mark) => timeOf(mark) > beforeS && timeOf(mark) <= lastS);
}

/** Returns the row whose readout lists a mark; null if there is no row yet. */
export function rowOfMark(times: Float64Array, markS: number): number | null {
  return times.length === 0 ? null : Math.min(bisectLeft(times, markS), times.length - 1);
}

/** Returns the run time of the next or previous mark's row; null if there is none in the range. */
export function stepMarks(
  times: Float64Array,
  range: TimeRange,
  tS: number | null,
  marksS: readonly number[],
  direction: 1 | -1,
): number | null {
  const rowsS = marksS
    .map((markS) => rowOfMark(times, markS))
    .flatMap((row) => (row === null ? [] : [times[row]!]))
    .filter((rowS) => rowS >= range.fromS && rowS <= range.toS)
    .sort((a, b) => a - b);
  if (direction > 0) return rowsS.find((rowS) => tS === null || rowS > tS) ?? null;
  return rowsS.findLast((rowS) => tS === null || rowS < tS) ?? null;
}

/**
 * Returns at most `count` evenly spaced rows of a range, including the first and the last. Omits
 * rows of gaps.
 */
export function spacedRows(history: HistoryRows, range: TimeRange, count: number): number[] {
  const times = history.column('t_s');
  const rates = history.column('transactions_per_s');
  const shares = history.column('running');
  const { first, end } = rowsWithin(times, range);
  const known = integers(first, end).filter(
    (row) => !Number.isNaN(rates[row]!) || !Number.isNaN(shares[row]!),
  );
  if (known.length <= count) return known;
  return integers(count).map((i) => known[Math.round((i * (known.length - 1)) / (count - 1))]!);
}

/** Returns the range of the whole run, independent of the default range. */
export function wholeRange(history: HistoryRows, byItself: TimeRange): TimeRange {
  return { fromS: 0, toS: Math.max(byItself.toS, history.endS) };
}

/**
 * Returns the zoom that shows a range: limited to the whole run and to the minimum size; null if it
 * equals the default range.
 */
export function zoomTo(wanted: TimeRange, whole: TimeRange, byItself: TimeRange): TimeRange | null {
  const wholeSpanS = whole.toS - whole.fromS;
  const middleS = (wanted.fromS + wanted.toS) / 2;
  const spanS = Math.min(Math.max(Math.abs(wanted.toS - wanted.fromS), wholeSpanS / ZOOM_MAX), wholeSpanS);
  const fromS = Math.min(Math.max(middleS - spanS / 2, whole.fromS), whole.toS - spanS);
  const zoom = { fromS, toS: fromS + spanS };
  const differenceS = Math.max(Math.abs(fromS - byItself.fromS), Math.abs(zoom.toS - byItself.toS));
  return differenceS <= wholeSpanS * SAME_PART ? null : zoom;
}

/** Scales a range by `factor` around `anchorS`. */
export function scaledAround({ fromS, toS }: TimeRange, anchorS: number, factor: number): TimeRange {
  return { fromS: anchorS - (anchorS - fromS) * factor, toS: anchorS + (toS - anchorS) * factor };
}

/** Moves a range; `zoomTo` limits it to the run. */
export const moved = ({ fromS, toS }: TimeRange, byS: number): TimeRange => ({
  fromS: fromS + byS,
  toS: toS + byS,
});
