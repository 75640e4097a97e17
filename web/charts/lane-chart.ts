import { thread_states } from '../contract/gen/telemetry-layout';
import type { ThreadState } from '../engine-client/snapshot';
import type { LaneHistory } from '../recording/lane-history';
import { ChartFrame } from './chart-frame';
import { laneRange, laneRows, laneRuns, type LaneRun } from './lanes';
import type { Plot } from './plot';

const LABEL_SPACING_PX = 24;
const ROW_GAP_PART = 0.12;
const CURSOR_DOT_PX = 4;

/** How a state is drawn: its colour, and as a second channel how much of the lane's height it takes up. */
export interface LaneStyle {
  state: ThreadState;
  /** Custom property of the style sheet that holds the colour. */
  color: string;
  height: number;
}

/** One lane: a thread under its name, and what it does now. */
interface LaneThread {
  slot: number;
  name: string;
  state: number;
}

/** A moment of one thread that is looked at. */
export interface LaneCursor {
  slot: number;
  t_ns: number;
  /** What the thread did then lasted from here to there. */
  from_ns: number;
  to_ns: number;
  /** Slot of the thread that held what it waited for, null if there is none. */
  holder: number | null;
}

export interface LaneView {
  lanes: LaneHistory;
  /** All threads of the run; those from `first_row` on are shown, as many as fit. */
  threads: readonly LaneThread[];
  first_row: number;
  now_ns: number;
  width_ns: number;
  cursor: LaneCursor | null;
}

/** A lane for each thread, over the newest part of virtual time. */
export class LaneChart {
  readonly #styles: readonly LaneStyle[];
  readonly #frame: ChartFrame;
  #view: LaneView | null = null;
  #fills = new Map<number, { color: string; height: number }>();
  #cursor_color = '';

  constructor(host: HTMLElement, styles: readonly LaneStyle[]) {
    this.#styles = styles;
    this.#frame = new ChartFrame(host, {
      has_mark_labels: false,
      onResize: () => {
        this.#redraw();
      },
    });
    this.restyle();
  }

  /** How many lanes fit. */
  rowsFor(threads: number): number {
    return laneRows(threads, this.#frame.height).count;
  }

  /** The thread and the moment at a place of the canvas, in CSS pixels from its corner; null beside the lanes. */
  placeAt(x_px: number, y_px: number): { slot: number; t_ns: number } | null {
    if (this.#view === null) return null;
    const { threads, first_row, now_ns, width_ns } = this.#view;
    const { left, top, width } = this.#frame.place;
    const rows = laneRows(threads.length, this.#frame.height);
    const row = Math.floor((y_px - top) / rows.height_px);
    const range = laneRange(now_ns, width_ns);
    const part = (x_px - left) / width;
    const thread = row >= 0 && row < rows.count ? threads[first_row + row] : undefined;
    if (thread === undefined || part < 0 || part > 1) return null;
    const t_ns = range.from_ns + part * (range.to_ns - range.from_ns);
    return { slot: thread.slot, t_ns: Math.min(t_ns, now_ns) };
  }

  draw(view: LaneView): void {
    this.#view = view;
    this.#redraw();
  }

  restyle(): void {
    this.#frame.restyle();
    this.#fills = new Map(
      this.#styles.map(({ state, color, height }) => [
        thread_states.indexOf(state),
        { color: this.#frame.color(color), height },
      ]),
    );
    this.#cursor_color = this.#frame.color('--mark');
    this.#redraw();
  }

  destroy(): void {
    this.#frame.destroy();
  }

  #redraw(): void {
    if (this.#view === null) return;
    const { lanes, threads, first_row, now_ns, width_ns, cursor } = this.#view;
    const rows = laneRows(threads.length, this.#frame.height);
    const shown = threads.slice(first_row, first_row + rows.count);
    const range = laneRange(now_ns, width_ns);
    const position = (row: number) => (row + 0.5) * rows.height_px;
    const step = Math.max(1, Math.ceil(LABEL_SPACING_PX / Math.max(1, rows.height_px)));
    const ticks = Array.from({ length: Math.ceil(shown.length / step) }, (_, i) => i * step);
    const format = (row: number) => shortName(shown[row]?.name ?? '');
    const time_range = { from_s: range.from_ns / 1e9, to_s: range.to_ns / 1e9 };
    this.#frame.draw(
      { range: time_range, is_virtual: true, marks: [] },
      { position, ticks, format },
      (plot) => {
        const columns = Math.max(1, Math.round(plot.width * window.devicePixelRatio));
        const states = thread_states.length;
        const runs = laneRuns({ lanes, threads: shown, now_ns, range, columns, states });
        this.#drawRuns(plot, runs, plot.width / columns, rows.height_px);
        const row_of_slot = new Map(shown.map(({ slot }, row) => [slot, row]));
        if (cursor !== null) this.#drawCursor(plot, cursor, row_of_slot, rows.height_px);
      },
    );
  }

  // By state, so that the colour changes seldom.
  #drawRuns({ context }: Plot, runs: readonly LaneRun[], column_px: number, row_px: number): void {
    const lane_px = row_px * (1 - ROW_GAP_PART);
    for (const [state, { color, height }] of this.#fills) {
      context.fillStyle = color;
      for (const run of runs) {
        if (run.state !== state) continue;
        const top = (run.row + 0.5) * row_px + lane_px / 2 - lane_px * height;
        context.fillRect(
          run.from_px * column_px,
          top,
          (run.to_px - run.from_px) * column_px,
          lane_px * height,
        );
      }
    }
  }

  /** A frame around what the thread did then, and a line to the lane of the thread that held it up. */
  #drawCursor(
    { context, height, x }: Plot,
    { slot, t_ns, from_ns, to_ns, holder }: LaneCursor,
    row_of_slot: ReadonlyMap<number, number>,
    row_px: number,
  ): void {
    const row = row_of_slot.get(slot);
    if (row === undefined) return;
    const at_px = x(t_ns / 1e9);
    const from_px = x(from_ns / 1e9);
    context.strokeStyle = context.fillStyle = this.#cursor_color;
    context.lineWidth = 2;
    context.setLineDash([]);
    context.strokeRect(from_px, row * row_px, Math.max(2, x(to_ns / 1e9) - from_px), row_px);
    if (holder === null) return;
    const holder_row = row_of_slot.get(holder);
    const middle_px = (row + 0.5) * row_px;
    const is_below = holder > slot;
    // A holder that is scrolled away is somewhere beyond the edge.
    const end_px = holder_row === undefined ? (is_below ? height : 0) : (holder_row + 0.5) * row_px;
    context.beginPath();
    context.moveTo(at_px, middle_px);
    context.lineTo(at_px, end_px);
    context.stroke();
    context.beginPath();
    context.arc(at_px, end_px, CURSOR_DOT_PX, 0, 2 * Math.PI);
    context.fill();
  }
}

const LABEL_CHARACTERS_MAX = 11;

/** Fits beside the axis. */
const shortName = (name: string) =>
  name.length > LABEL_CHARACTERS_MAX ? `${name.slice(0, LABEL_CHARACTERS_MAX - 1)}…` : name;
