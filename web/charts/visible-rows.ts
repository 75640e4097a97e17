import { bisectLeft } from 'd3-array';

import type { History, HistoryColumn } from '../state/history';
import type { TimeRange } from './chart';

/** The rows of a history that a range shows, with one more at the left so that lines run out of the picture. */
export class VisibleRows {
  readonly #history: History;
  readonly #first: number;

  constructor(history: History, { from_s }: TimeRange) {
    this.#history = history;
    this.#first = Math.max(0, bisectLeft(history.column('t_s'), from_s) - 1);
  }

  column(name: HistoryColumn): Float64Array {
    return this.#history.column(name).subarray(this.#first);
  }
}

/** Smallest and largest known value of some columns; [Infinity, -Infinity] if there is none. */
export function extentOf(columns: readonly Float64Array[]): [number, number] {
  let smallest = Number.POSITIVE_INFINITY;
  let largest = Number.NEGATIVE_INFINITY;
  for (const column of columns) {
    for (const value of column) {
      if (value < smallest) smallest = value;
      if (value > largest) largest = value;
    }
  }
  return [smallest, largest];
}
