// What thread lanes look like, without a canvas: which state each pixel of each lane shows.
import type { LaneHistory } from '../recording/lane-history';

const ROW_PX_MIN = 5;
const ROW_PX_MAX = 15;
/** Where not all lanes fit, those that are shown are made easy to point at. */
const ROW_PX_SCROLLED = 9;

/** Lanes that fit at once. */
export interface LaneRows {
  count: number;
  height_px: number;
}

export function laneRows(threads: number, height_px: number): LaneRows {
  if (threads === 0 || height_px <= 0) return { count: 0, height_px: 0 };
  const all_px = height_px / threads;
  if (all_px >= ROW_PX_MIN) return { count: threads, height_px: Math.min(ROW_PX_MAX, all_px) };
  const count = Math.max(1, Math.floor(height_px / ROW_PX_SCROLLED));
  return { count, height_px: height_px / count };
}

/** Some neighbouring pixels of one lane that show one state. */
export interface LaneRun {
  row: number;
  from_px: number;
  to_px: number;
  /** Index into `thread_states`. */
  state: number;
}

export interface LanePicture {
  lanes: LaneHistory;
  /** The threads of the rows that are shown, and what each does now. */
  threads: readonly { slot: number; state: number }[];
  now_ns: number;
  range: { from_ns: number; to_ns: number };
  columns: number;
  /** How many thread states there are. */
  states: number;
}

/** Each pixel shows the state that took most of its time. */
export function laneRuns({ lanes, threads, now_ns, range, columns, states }: LanePicture): LaneRun[] {
  const rows = threads.length;
  const row_of_slot = new Map(threads.map(({ slot }, row) => [slot, row]));
  const times = new Float32Array(rows * columns * states);
  const column_ns = (range.to_ns - range.from_ns) / columns;
  const add = (row: number, state: number, from_ns: number, to_ns: number) => {
    const from = (Math.max(from_ns, range.from_ns) - range.from_ns) / column_ns;
    const to = (Math.min(to_ns, range.to_ns) - range.from_ns) / column_ns;
    for (let column = Math.floor(from); column < to && column < columns; column += 1) {
      const part = Math.min(to, column + 1) - Math.max(from, column);
      const at = (row * columns + column) * states + state;
      times[at] = times[at]! + part;
    }
  };
  // Of each thread the newest segment comes first: from its end on the thread is in its present state.
  const began_ns = new Float64Array(rows).fill(Math.max(range.from_ns, lanes.known_from_ns));
  const is_seen = new Uint8Array(rows);
  lanes.visitSince(range.from_ns, ({ slot, state, from_ns, to_ns }) => {
    const row = row_of_slot.get(slot);
    if (row === undefined) return;
    if (is_seen[row] === 0) began_ns[row] = to_ns;
    is_seen[row] = 1;
    add(row, state, from_ns, to_ns);
  });
  for (const [row, { state }] of threads.entries()) add(row, state, began_ns[row]!, now_ns);
  return runsOf(times, rows, columns, states);
}

function runsOf(times: Float32Array, rows: number, columns: number, states: number): LaneRun[] {
  const runs: LaneRun[] = [];
  for (let row = 0; row < rows; row += 1) {
    let open = null as LaneRun | null;
    for (let column = 0; column < columns; column += 1) {
      const state = largestOf(times, (row * columns + column) * states, states);
      if (open?.state === state) {
        open.to_px = column + 1;
      } else {
        open = state < 0 ? null : { row, from_px: column, to_px: column + 1, state };
        if (open !== null) runs.push(open);
      }
    }
  }
  return runs;
}

/** Index of the largest, -1 if all are 0. */
function largestOf(values: Float32Array, from: number, count: number): number {
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
