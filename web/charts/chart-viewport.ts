// Which part of a run the charts show, and which moment of it a reader points at. Pure functions over run times.
import { createStore, type StoreApi } from 'zustand/vanilla';

import type { HistoryRows } from '../recording/history';
import { withGuardedListeners } from '../recording/listeners';
import type { RunMark } from '../recording/run-marks';
import type { TimeRange } from '../recording/time-scale';
import type { RateScale } from './domains';

/** No deeper than this many parts of the whole. */
const ZOOM_MAX = 2000;
/** Ranges that differ by less than this part of the whole are the same to the eye. */
const SAME_PART = 1e-6;

/** What changes seldom; a part of the explorer's state. */
export interface ChartViewport {
  /** The part of the run that the reader has chosen; null: as much as the charts show by themselves. */
  zoom: TimeRange | null;
  frozen: FrozenPicture | null;
  is_previous_run_shown: boolean;
  /** Of throughput; null: whatever shows all of it. */
  rate_scale: RateScale | null;
  /** The axis starts again from the last mark. */
  is_since_mark: boolean;
}

/** What the charts go on showing although the run goes on. */
export interface FrozenPicture {
  at_s: number;
  history: HistoryRows;
  marks: readonly RunMark[];
  /** What the charts showed by themselves. */
  range: TimeRange;
}

export const initial_viewport: ChartViewport = {
  zoom: null,
  frozen: null,
  is_previous_run_shown: true,
  rate_scale: null,
  is_since_mark: false,
};

/** Another run is shown from its start. */
export const viewportOfNewRun = (before: ChartViewport): ChartViewport => ({
  ...before,
  zoom: null,
  frozen: null,
  is_since_mark: false,
});

/** What a reader points at in all charts at once. It changes as often as a pointer moves, so it is a store of its own. */
export interface Pointing {
  /** Run time of a row of the history. */
  t_s: number | null;
  by: 'pointer' | 'keyboard';
  /** What is being chosen by dragging. */
  brush: TimeRange | null;
}

export type PointingStore = StoreApi<Pointing>;

export const nothing_pointed_at: Pointing = { t_s: null, by: 'pointer', brush: null };

export const createPointingStore = (): PointingStore =>
  withGuardedListeners(createStore<Pointing>(() => nothing_pointed_at));

/** The rows of a range, from the first to before the end. */
export function rowsWithin(times: Float64Array, { from_s, to_s }: TimeRange): { first: number; end: number } {
  return { first: countBefore(times, from_s), end: countUpTo(times, to_s) };
}

/** The row of a range that is nearest to a moment; null if the range has none. */
export function nearestRow(times: Float64Array, range: TimeRange, t_s: number): number | null {
  const { first, end } = rowsWithin(times, range);
  if (first >= end) return null;
  const after = Math.min(Math.max(countBefore(times, t_s), first), end - 1);
  const before = Math.max(first, after - 1);
  // Of rows of one time the first is meant: a gap in the lines has the time of the row before it.
  return t_s - times[before]! <= times[after]! - t_s ? countBefore(times, times[before]!) : after;
}

/**
 * The run time of the row that lies so many rows after the one at `t_s`, or before it, within the range. From nowhere it
 * goes to the last row, or to the first.
 */
export function stepRows(
  times: Float64Array,
  range: TimeRange,
  t_s: number | null,
  rows: number,
): number | null {
  const { first, end } = rowsWithin(times, range);
  if (first >= end) return null;
  const clamp = (row: number) => Math.min(Math.max(row, first), end - 1);
  if (t_s === null) return times[rows > 0 ? first : end - 1]!;
  // From the last row of one time on, from its first row back.
  const from = rows > 0 ? countUpTo(times, t_s) - 1 : countBefore(times, t_s);
  return times[clamp(from + rows)]!;
}

/** Marks that lie after the row before and not after this one; those after the last row belong to it. */
export function marksAtRow<M>(
  times: Float64Array,
  row: number,
  marks: readonly M[],
  timeOf: (mark: M) => number,
): M[] {
  const before_s = row === 0 ? Number.NEGATIVE_INFINITY : times[row - 1]!;
  const last_s = countUpTo(times, times[row]!) === times.length ? Number.POSITIVE_INFINITY : times[row]!;
  return marks.filter((mark) => timeOf(mark) > before_s && timeOf(mark) <= last_s);
}

/** The row at which a mark is told; null if there is none yet. */
export function rowOfMark(times: Float64Array, mark_s: number): number | null {
  return times.length === 0 ? null : Math.min(countBefore(times, mark_s), times.length - 1);
}

/** The run time of the row of the next mark, or of the one before; null if there is none in the range. */
export function stepMarks(
  times: Float64Array,
  range: TimeRange,
  t_s: number | null,
  marks_s: readonly number[],
  direction: 1 | -1,
): number | null {
  const rows_s = marks_s
    .map((mark_s) => rowOfMark(times, mark_s))
    .flatMap((row) => (row === null ? [] : [times[row]!]))
    .filter((row_s) => row_s >= range.from_s && row_s <= range.to_s)
    .sort((a, b) => a - b);
  if (direction > 0) return rows_s.find((row_s) => t_s === null || row_s > t_s) ?? null;
  return rows_s.findLast((row_s) => t_s === null || row_s < t_s) ?? null;
}

/** At most `count` rows of a range, evenly spaced, the first and the last among them. Rows of gaps are left out. */
export function spacedRows(history: HistoryRows, range: TimeRange, count: number): number[] {
  const times = history.column('t_s');
  const rates = history.column('transactions_per_s');
  const shares = history.column('running');
  const { first, end } = rowsWithin(times, range);
  const known = Array.from({ length: Math.max(0, end - first) }, (_, i) => first + i).filter(
    (row) => !Number.isNaN(rates[row]!) || !Number.isNaN(shares[row]!),
  );
  if (known.length <= count) return known;
  return Array.from({ length: count }, (_, i) => known[Math.round((i * (known.length - 1)) / (count - 1))]!);
}

/** All of a run, whatever part of it the charts show by themselves. */
export function wholeRange(history: HistoryRows, by_itself: TimeRange): TimeRange {
  return { from_s: 0, to_s: Math.max(by_itself.to_s, history.end_s) };
}

/**
 * The zoom that shows a range: kept within the whole run, no smaller than can be told apart, and null if the charts
 * show that much by themselves.
 */
export function zoomTo(wanted: TimeRange, whole: TimeRange, by_itself: TimeRange): TimeRange | null {
  const whole_span_s = whole.to_s - whole.from_s;
  const middle_s = (wanted.from_s + wanted.to_s) / 2;
  const span_s = Math.min(
    Math.max(Math.abs(wanted.to_s - wanted.from_s), whole_span_s / ZOOM_MAX),
    whole_span_s,
  );
  const from_s = Math.min(Math.max(middle_s - span_s / 2, whole.from_s), whole.to_s - span_s);
  const zoom = { from_s, to_s: from_s + span_s };
  return isSameRange(zoom, by_itself, whole_span_s) ? null : zoom;
}

/** A range `factor` times as long, in which `anchor_s` stays where it is. */
export function scaledAround({ from_s, to_s }: TimeRange, anchor_s: number, factor: number): TimeRange {
  return { from_s: anchor_s - (anchor_s - from_s) * factor, to_s: anchor_s + (to_s - anchor_s) * factor };
}

/** The range, moved; `zoomTo` keeps it within the run. */
export const moved = ({ from_s, to_s }: TimeRange, by_s: number): TimeRange => ({
  from_s: from_s + by_s,
  to_s: to_s + by_s,
});

function isSameRange(a: TimeRange, b: TimeRange, whole_span_s: number): boolean {
  const difference_s = Math.max(Math.abs(a.from_s - b.from_s), Math.abs(a.to_s - b.to_s));
  return difference_s <= whole_span_s * SAME_PART;
}

/** How many of the ascending times lie before a moment. */
const countBefore = (times: Float64Array, t_s: number) => firstWhere(times, (time_s) => time_s >= t_s);
/** How many of the ascending times lie at a moment or before it. */
const countUpTo = (times: Float64Array, t_s: number) => firstWhere(times, (time_s) => time_s > t_s);

/** Index of the first value for which `holds`, which must hold from there on. */
function firstWhere(values: Float64Array, holds: (value: number) => boolean): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(values[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}
