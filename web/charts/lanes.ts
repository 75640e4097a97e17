// What thread lanes look like, without a canvas: which state each pixel of each lane shows.
import type { LaneHistory } from '../state/lane-history';

const ROW_PX_MIN = 5;
const ROW_PX_MAX = 15;

/** Lanes that fit, from the first client on. */
export interface LaneRows {
  count: number;
  height_px: number;
}

export function laneRows(clients: number, height_px: number): LaneRows {
  if (clients === 0 || height_px <= 0) return { count: 0, height_px: 0 };
  const wanted_px = Math.min(ROW_PX_MAX, Math.max(ROW_PX_MIN, height_px / clients));
  const count = Math.min(clients, Math.floor(height_px / wanted_px));
  return { count, height_px: Math.min(ROW_PX_MAX, height_px / Math.max(1, count)) };
}

/** The newest part of virtual time; a run that is younger than it is shown from its start. */
export function laneRange(end_ns: number, width_ns: number): { from_ns: number; to_ns: number } {
  const to_ns = Math.max(end_ns, width_ns);
  return { from_ns: to_ns - width_ns, to_ns };
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
  /** What each client does now. */
  states_now: readonly number[];
  now_ns: number;
  range: { from_ns: number; to_ns: number };
  rows: number;
  columns: number;
  /** How many thread states there are. */
  states: number;
}

/** Each pixel shows the state that took most of its time. */
export function laneRuns(picture: LanePicture): LaneRun[] {
  const { lanes, states_now, now_ns, range, rows, columns, states } = picture;
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
    if (slot >= rows) return;
    if (is_seen[slot] === 0) began_ns[slot] = to_ns;
    is_seen[slot] = 1;
    add(slot, state, from_ns, to_ns);
  });
  for (let row = 0; row < rows; row += 1) add(row, states_now[row] ?? 0, began_ns[row]!, now_ns);
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
