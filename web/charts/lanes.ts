// Lays out thread lanes: the state in each pixel of each lane. Does not need a canvas.
import type { LaneSegment } from '../contract/telemetry-states';

const ROW_PX_MIN = 5;
export const ROW_PX_MAX = 15;
/** Height if not all lanes fit: large enough to point at. */
const ROW_PX_SCROLLED = 9;
/** Height for a chain: each lane has its name. */
const ROW_PX_OF_PATH = 24;

/** The lanes that fit. */
export interface LaneRows {
  count: number;
  heightPx: number;
}

export function laneRows(
  threads: number,
  heightPx: number,
  { shows_path = false, row_px_max = ROW_PX_MAX } = {},
): LaneRows {
  if (threads === 0 || heightPx <= 0) return { count: 0, heightPx: 0 };
  if (shows_path) {
    const count = Math.max(1, Math.floor(heightPx / ROW_PX_OF_PATH));
    return { count: Math.min(count, threads), heightPx: ROW_PX_OF_PATH };
  }
  const allPx = heightPx / threads;
  if (allPx >= ROW_PX_MIN) return { count: threads, heightPx: Math.min(row_px_max, allPx) };
  const count = Math.max(1, Math.floor(heightPx / ROW_PX_SCROLLED));
  return { count, heightPx: heightPx / count };
}

/** The data of lanes, such as a run's history. */
export interface LaneSource {
  /** Earlier segments are unknown. */
  readonly knownFromNs: number;
  /** Visits all segments that end after `from_ns`; for each thread, the newest first. */
  visitSince: (
    fromNs: number,
    visit: (segment: Pick<LaneSegment, 'slot' | 'state' | 'from_ns' | 'to_ns'>) => void,
  ) => void;
}

/** Adjacent pixels of one lane with the same state. */
export interface LaneRun {
  row: number;
  fromPx: number;
  toPx: number;
  /** Index into `thread_states`. */
  state: number;
}

export interface LanePicture {
  lanes: LaneSource;
  /** The threads of the visible rows, and their current states. */
  threads: readonly { slot: number; state: number }[];
  nowNs: number;
  range: { fromNs: number; toNs: number };
  columns: number;
  /** Number of thread states. */
  states: number;
}

/** Returns runs of pixels. Each pixel shows the state with the most time in it. */
export function laneRuns({ lanes, threads, nowNs, range, columns, states }: LanePicture): LaneRun[] {
  const rows = threads.length;
  const rowOfSlot = new Map(threads.map(({ slot }, row) => [slot, row]));
  const runs = new RunsFromTheRight({ rows, columns, states, range });
  const isSeen = new Uint8Array(rows);
  lanes.visitSince(range.fromNs, ({ slot, state, from_ns, to_ns }) => {
    const row = rowOfSlot.get(slot);
    if (row === undefined) return;
    // After the end of its newest segment, a thread is in its current state.
    if (isSeen[row] === 0) runs.add(row, threads[row]!.state, to_ns, nowNs);
    isSeen[row] = 1;
    runs.add(row, state, from_ns, to_ns);
  });
  const knownFromNs = Math.max(range.fromNs, lanes.knownFromNs);
  for (const [row, { state }] of threads.entries())
    if (isSeen[row] === 0) runs.add(row, state, knownFromNs, nowNs);
  return runs.all();
}

interface RowsOfColumns extends Pick<LanePicture, 'range' | 'columns' | 'states'> {
  rows: number;
}

/**
 * Builds the runs of several rows. Each row's times do not overlap and arrive newest first, so each
 * row has at most one open column.
 */
class RunsFromTheRight {
  readonly #columns: number;
  readonly #states: number;
  readonly #fromNs: number;
  readonly #columnsPerNs: number;
  /** The open column of each row, and its time per state. */
  readonly #openColumn: Int32Array;
  readonly #times: Float64Array;
  readonly #runs: LaneRun[][];

  constructor({ rows, columns, states, range }: RowsOfColumns) {
    this.#columns = columns;
    this.#states = states;
    this.#fromNs = range.fromNs;
    this.#columnsPerNs = columns / (range.toNs - range.fromNs);
    this.#openColumn = new Int32Array(rows).fill(-1);
    this.#times = new Float64Array(rows * states);
    this.#runs = Array.from({ length: rows }, () => []);
  }

  add(row: number, state: number, fromNs: number, toNs: number): void {
    const from = Math.max(0, (fromNs - this.#fromNs) * this.#columnsPerNs);
    const to = Math.min(this.#columns, (toNs - this.#fromNs) * this.#columnsPerNs);
    if (!(from < to)) return;
    const first = Math.floor(from);
    const last = Math.ceil(to) - 1;
    this.#open(row, last);
    const at = row * this.#states + state;
    if (first === last) {
      this.#times[at] = this.#times[at]! + (to - from);
      return;
    }
    this.#times[at] = this.#times[at]! + (to - last);
    this.#close(row);
    if (last - first > 1) this.#extend(row, state, first + 1, last);
    this.#open(row, first);
    this.#times[at] = this.#times[at] + (first + 1 - from);
  }

  /** Row by row, from left to right. */
  all(): LaneRun[] {
    for (const row of this.#runs.keys()) this.#close(row);
    return this.#runs.flatMap((runs) => runs.reverse());
  }

  #open(row: number, column: number): void {
    if (this.#openColumn[row] === column) return;
    this.#close(row);
    this.#openColumn[row] = column;
  }

  #close(row: number): void {
    const column = this.#openColumn[row]!;
    if (column < 0) return;
    const first = row * this.#states;
    const state = largestOf(this.#times, first, this.#states);
    if (state >= 0) this.#extend(row, state, column, column + 1);
    this.#times.fill(0, first, first + this.#states);
    this.#openColumn[row] = -1;
  }

  #extend(row: number, state: number, fromPx: number, toPx: number): void {
    const runs = this.#runs[row]!;
    const leftmost = runs.at(-1);
    if (leftmost?.state === state && leftmost.fromPx === toPx) leftmost.fromPx = fromPx;
    else runs.push({ row, fromPx, toPx, state });
  }
}

/**
 * Sums the time of each state per row and column. Times may arrive in any order and may overlap.
 */
export class ColumnTimes {
  readonly #size: RowsOfColumns;
  readonly #times: Float32Array;
  readonly #columnNs: number;

  constructor(size: RowsOfColumns) {
    const { rows, columns, states, range } = size;
    this.#size = size;
    this.#times = new Float32Array(rows * columns * states);
    this.#columnNs = (range.toNs - range.fromNs) / columns;
  }

  add(row: number, state: number, fromNs: number, toNs: number): void {
    const { columns, states, range } = this.#size;
    const from = (Math.max(fromNs, range.fromNs) - range.fromNs) / this.#columnNs;
    const to = (Math.min(toNs, range.toNs) - range.fromNs) / this.#columnNs;
    for (let column = Math.floor(from); column < to && column < columns; column += 1) {
      const part = Math.min(to, column + 1) - Math.max(from, column);
      const at = (row * columns + column) * states + state;
      this.#times[at] = this.#times[at]! + part;
    }
  }

  /** Returns runs of adjacent columns whose most frequent state is the same. */
  runs(): LaneRun[] {
    const { rows, columns, states } = this.#size;
    const runs: LaneRun[] = [];
    for (let row = 0; row < rows; row += 1) {
      let open = null as LaneRun | null;
      for (let column = 0; column < columns; column += 1) {
        const state = largestOf(this.#times, (row * columns + column) * states, states);
        if (open?.state === state) {
          open.toPx = column + 1;
        } else {
          open = state < 0 ? null : { row, fromPx: column, toPx: column + 1, state };
          if (open !== null) runs.push(open);
        }
      }
    }
    return runs;
  }
}

/** Returns the index of the largest value; -1 if all are 0. */
function largestOf(values: Float32Array | Float64Array, from: number, count: number): number {
  let largest = -1;
  let most = 0;
  for (let i = 0; i < count; i += 1) {
    if (values[from + i]! > most) {
      most = values[from + i]!;
      largest = i;
    }
  }
  return largest;
}
