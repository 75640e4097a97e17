// Selects the rows of a history that a chart draws.
import { bisectLeft, bisectRight } from 'd3-array';

import type { HistoryColumn, HistoryRows } from '../recording/history';
import type { TimeRange } from './chart';

/**
 * The rows of a history within a range, and one more on either side, so that lines continue to the
 * edge.
 */
export class VisibleRows {
  readonly #history: HistoryRows;
  readonly #range: TimeRange;
  readonly #first: number;
  readonly #end: number;

  constructor(history: HistoryRows, range: TimeRange) {
    const { fromS, toS } = range;
    const times = history.column('t_s');
    this.#history = history;
    this.#range = range;
    this.#first = Math.max(0, bisectLeft(times, fromS) - 1);
    this.#end = Math.min(times.length, bisectRight(times, toS) + 1);
  }

  column(name: HistoryColumn): Float64Array {
    return this.#history.column(name).subarray(this.#first, this.#end);
  }

  /** Returns the rows within the range, or the neighboring ones if there are none. */
  within(name: HistoryColumn): Float64Array {
    const { fromS, toS } = this.#range;
    const times = this.#history.column('t_s');
    const [first, end] = [bisectLeft(times, fromS), bisectRight(times, toS)];
    return first < end ? this.#history.column(name).subarray(first, end) : this.column(name);
  }
}

/** Returns known values between unknown ones, which a line would not show. */
export function lonelyRows(values: Float64Array): number[] {
  const isKnown = (row: number) => row >= 0 && row < values.length && !Number.isNaN(values[row]!);
  const lonely: number[] = [];
  for (let row = 0; row < values.length; row += 1) {
    if (isKnown(row) && !isKnown(row - 1) && !isKnown(row + 1)) lonely.push(row);
  }
  return lonely;
}

/** With more rows per pixel, most of them would lie on top of each other. */
const ROWS_OF_A_PIXEL = 4;

/**
 * Returns the rows that a line of this width needs. These are the first, last, lowest and highest
 * row of each pixel column, and the start of each gap. Returns all rows if there are few.
 */
export function drawnRows(
  values: Float64Array,
  pixelOf: (row: number) => number,
  widthPx: number,
): Iterable<number> {
  if (values.length <= ROWS_OF_A_PIXEL * widthPx) return values.keys();
  const rows: number[] = [];
  for (let from = 0; from < values.length;) {
    const to = endOfColumn(values, from, pixelOf);
    let [lowest, highest] = [from, from];
    for (let row = from; row < to; row += 1) {
      if (values[row]! < values[lowest]!) lowest = row;
      if (values[row]! > values[highest]!) highest = row;
    }
    rows.push(...new Set([from, Math.min(lowest, highest), Math.max(lowest, highest), to - 1]));
    from = to;
  }
  return rows;
}

/** Returns the end of the rows in one pixel column that are all known, or all unknown. */
function endOfColumn(values: Float64Array, from: number, pixelOf: (row: number) => number): number {
  const pixel = Math.floor(pixelOf(from));
  const isKnown = !Number.isNaN(values[from]!);
  let to = from + 1;
  while (to < values.length && Math.floor(pixelOf(to)) === pixel && !Number.isNaN(values[to]!) === isKnown)
    to += 1;
  return to;
}

/**
 * Returns the smallest and the largest known value above a bound; [Infinity, -Infinity] if there is
 * none.
 */
export function extentOf(
  columns: readonly Float64Array[],
  above = Number.NEGATIVE_INFINITY,
): [number, number] {
  let smallest = Number.POSITIVE_INFINITY;
  let largest = Number.NEGATIVE_INFINITY;
  for (const column of columns) {
    for (const value of column) {
      if (!(value > above)) continue;
      if (value < smallest) smallest = value;
      if (value > largest) largest = value;
    }
  }
  return [smallest, largest];
}

/**
 * Returns the highest known row of each `spacingPx` pixels; more dots would lie on top of each
 * other.
 */
export function highestRows(
  values: Float64Array,
  pixelOf: (row: number) => number,
  spacingPx: number,
): number[] {
  const highest = new Map<number, number>();
  for (const [row, value] of values.entries()) {
    if (Number.isNaN(value)) continue;
    const place = Math.floor(pixelOf(row) / spacingPx);
    const other = highest.get(place);
    if (other === undefined || value > values[other]!) highest.set(place, row);
  }
  return [...highest.values()];
}
