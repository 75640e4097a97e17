// Draws thread lanes on a canvas.
import { thread_states } from '../contract/gen/telemetry-layout';
import type { ThreadState } from '../contract/telemetry-states';
import { ChartFrame } from './chart-frame';
import { drawCursorLine } from './latch-track-chart';
import { pathPicture } from './lane-path';
import { laneRows, laneRuns, ROW_PX_MAX, type LanePicture, type LaneRun, type LaneSource } from './lanes';
import { OverlayCanvas } from './overlay-canvas';
import { owner_colors } from './owner-colors';
import type { Plot } from './plot';
import type { ChainPath, PathPart } from '../analysis/chain-path';
import type { Hold } from '../recording/latch-trace';

const LABEL_SPACING_PX = 24;
const ROW_GAP_PART = 0.12;
const CURSOR_DOT_PX = 4;
const HOLD_BAR_PART = 0.2;
const HOLD_BAR_MIN_PX = 2;
const OWNER_STRIP_PART = 0.4;
/** The lanes remain visible below the path. */
const VEIL_OPACITY = 0.78;
const PATH_END_BAR_PX = 3;

/** How to draw a state: its color and, as a second channel, the share of the lane's height. */
export interface LaneStyle {
  state: ThreadState;
  /** Custom property of the style sheet with the color. */
  color: string;
  height: number;
}

/** One lane: a thread, its name and its current state. */
interface LaneThread {
  slot: number;
  name: string;
  state: number;
}

/** The selected moment, and one thread's activity then. */
export interface LaneCursor {
  t_ns: number;
  span: LaneSpan | null;
}

/** The thread's activity around that moment. */
export interface LaneSpan {
  slot: number;
  from_ns: number;
  to_ns: number;
  /**
   * The thread that holds, at that moment, the latch that this one waits for; null: none or
   * unknown.
   */
  holder: number | null;
  /** The successive holds of that latch during the span. */
  holds: readonly Hold[];
}

export interface LaneView {
  lanes: LaneSource;
  /** All threads of the run, in row order. The chart shows as many as fit, from `first_row` on. */
  threads: readonly LaneThread[];
  first_row: number;
  now_ns: number;
  range: LanePicture['range'];
  /** Holds of the selected latch, marked in the lanes of their threads. */
  holds: readonly Hold[];
  /** The chain of a transaction; everything else is pale. */
  path?: ChainPath | null;
  /** The selected part of the chain. */
  path_part?: PathPart | null;
}

/** Draws a lane for each thread, over a window of virtual time. */
export class LaneChart {
  readonly #styles: readonly LaneStyle[];
  readonly #row_px_max: number;
  readonly #frame: ChartFrame;
  readonly #overlay: OverlayCanvas;
  #view: LaneView | null = null;
  #cursor: LaneCursor | null = null;
  #fills = new Map<number, { color: string; height: number }>();
  #owners: string[] = [];
  #mark_color = '';
  #veil_color = '';

  constructor(host: HTMLElement, styles: readonly LaneStyle[], { row_px_max = ROW_PX_MAX } = {}) {
    this.#styles = styles;
    this.#row_px_max = row_px_max;
    this.#frame = new ChartFrame(host, {
      has_mark_labels: false,
      onResize: () => {
        this.#redraw();
      },
    });
    this.#overlay = new OverlayCanvas(this.#frame);
    host.append(this.#overlay.canvas);
    this.restyle();
  }

  /** Returns how many lanes fit. */
  rowsFor(threads: number, shows_path: boolean): number {
    return this.#rowsOf(threads, shows_path).count;
  }

  /**
   * Returns the thread and the moment at a point of the canvas, in CSS pixels from its corner; null
   * outside the lanes.
   */
  placeAt(x_px: number, y_px: number): { slot: number; t_ns: number } | null {
    if (this.#view === null) return null;
    const { threads, first_row, now_ns, range } = this.#view;
    const { left, top, width } = this.#frame.place;
    const rows = this.#rows;
    const row = Math.floor((y_px - top) / rows.height_px);
    const part = (x_px - left) / width;
    const thread = row >= 0 && row < rows.count ? threads[first_row + row] : undefined;
    if (thread === undefined || part < 0 || part > 1) return null;
    const t_ns = range.fromNs + part * (range.toNs - range.fromNs);
    return { slot: thread.slot, t_ns: Math.min(t_ns, now_ns) };
  }

  timeAt(x_px: number): { t_ns: number; ns_per_px: number } | null {
    return this.#view === null ? null : this.#frame.timeAt(x_px);
  }

  draw(view: LaneView): void {
    this.#view = view;
    this.#redraw();
  }

  drawCursor(cursor: LaneCursor | null): void {
    this.#cursor = cursor;
    if (cursor === null || this.#view === null) {
      this.#overlay.clear();
      return;
    }
    const context = this.#overlay.begin();
    const { x, height, width, style } = this.#frame.plot;
    context.save();
    context.beginPath();
    context.rect(0, 0, width, height);
    context.clip();
    drawCursorLine(context, x(cursor.t_ns / 1e9), height, style.ink);
    if (cursor.span !== null) this.#drawSpan(context, cursor.t_ns, cursor.span);
    context.restore();
  }

  restyle(): void {
    this.#frame.restyle();
    this.#fills = new Map(
      this.#styles.map(({ state, color, height }) => [
        thread_states.indexOf(state),
        { color: this.#frame.color(color), height },
      ]),
    );
    this.#owners = owner_colors.map((property) => this.#frame.color(property));
    this.#mark_color = this.#frame.color('--mark');
    this.#veil_color = this.#frame.color('--panel');
    this.#redraw();
  }

  destroy(): void {
    this.#frame.destroy();
  }

  get #rows() {
    const { threads, path } = this.#view ?? { threads: [] };
    return this.#rowsOf(threads.length, path != null);
  }

  #rowsOf(threads: number, shows_path: boolean) {
    return laneRows(threads, this.#frame.height, { shows_path, row_px_max: this.#row_px_max });
  }

  get #shown(): readonly LaneThread[] {
    const { threads, first_row } = this.#view!;
    return threads.slice(first_row, first_row + this.#rows.count);
  }

  #redraw(): void {
    if (this.#view === null) return;
    const { lanes, now_ns, range } = this.#view;
    const rows = this.#rows;
    const shown = this.#shown;
    const position = (row: number) => (row + 0.5) * rows.height_px;
    const step = Math.max(1, Math.ceil(LABEL_SPACING_PX / Math.max(1, rows.height_px)));
    const ticks = Array.from({ length: Math.ceil(shown.length / step) }, (_, i) => i * step);
    const format = (row: number) => shortName(shown[row]?.name ?? '');
    const time_range = { fromS: range.fromNs / 1e9, toS: range.toNs / 1e9 };
    this.#frame.draw(
      { range: time_range, is_virtual: true, marks: [] },
      { position, ticks, format },
      (plot) => {
        const columns = Math.max(1, Math.round(plot.width * window.devicePixelRatio));
        const states = thread_states.length;
        const runs = laneRuns({ lanes, threads: shown, now_ns, range, columns, states });
        this.#drawRuns(plot, runs, plot.width / columns, rows.height_px);
        this.#drawHolds(plot, shown, rows.height_px);
        this.#drawPath(plot, shown, columns, rows.height_px);
      },
    );
    this.#overlay.fit();
    this.drawCursor(this.#cursor);
  }

  // Draws state by state, so that the color rarely changes.
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

  /** Draws a bar at the upper edge of a lane while its thread holds the latch. */
  #drawHolds({ context, x }: Plot, shown: readonly LaneThread[], row_px: number): void {
    const { holds, now_ns, range } = this.#view!;
    const row_of_slot = rowsOf(shown);
    const bar_px = Math.max(HOLD_BAR_MIN_PX, row_px * HOLD_BAR_PART);
    context.fillStyle = this.#mark_color;
    for (const { slot, fromNs, toNs } of holds) {
      if (fromNs > range.toNs) break;
      const until_ns = toNs ?? now_ns;
      const row = row_of_slot.get(slot);
      if (row === undefined || until_ns < range.fromNs) continue;
      const left = x(fromNs / 1e9);
      context.fillRect(left, row * row_px, Math.max(1, x(until_ns / 1e9) - left), bar_px);
    }
  }

  /**
   * Draws the chain of a transaction in full colors. A frame surrounds the transaction, lines lead
   * to its holders, and bars mark the ends of the chain.
   */
  #drawPath(plot: Plot, shown: readonly LaneThread[], columns: number, row_px: number): void {
    const { path, path_part, range } = this.#view!;
    if (path == null) return;
    const { context, width, height, x } = plot;
    context.fillStyle = this.#veil_color;
    context.globalAlpha = VEIL_OPACITY;
    context.fillRect(0, 0, width, height);
    context.globalAlpha = 1;
    const frame = { threads: shown, range, columns, states: thread_states.length };
    const { runs, ends, links } = pathPicture(path, frame);
    const column_px = width / columns;
    this.#drawRuns(plot, runs, column_px, row_px);
    context.fillStyle = context.strokeStyle = this.#mark_color;
    for (const { row, from_px, to_px } of ends)
      context.fillRect(
        from_px * column_px,
        (row + 1) * row_px - PATH_END_BAR_PX,
        (to_px - from_px) * column_px,
        PATH_END_BAR_PX,
      );
    context.lineWidth = 1;
    for (const { at_px, from_row, to_row } of links) {
      context.beginPath();
      context.moveTo(at_px * column_px, (from_row + 0.5) * row_px);
      context.lineTo(at_px * column_px, (to_row + 0.5) * row_px);
      context.stroke();
    }
    if (path_part != null) this.#drawPartEdges(plot, path_part);
    const own_row = rowsOf(shown).get(path.slot);
    if (own_row === undefined) return;
    const { fromNs, toNs } = path_part ?? path;
    const [left, right] = [x(fromNs / 1e9), x(toNs / 1e9)];
    context.lineWidth = 2;
    context.strokeRect(left, own_row * row_px, Math.max(2, right - left), row_px);
  }

  /**
   * Draws the edges of a part of the transaction through all lanes. The causes of the part lie
   * between them.
   */
  #drawPartEdges({ context, width, height, x }: Plot, { fromNs, toNs }: PathPart): void {
    const [left, right] = [x(fromNs / 1e9), x(toNs / 1e9)];
    context.fillStyle = this.#veil_color;
    context.globalAlpha = VEIL_OPACITY;
    context.fillRect(0, 0, left, height);
    context.fillRect(right, 0, width - right, height);
    context.globalAlpha = 1;
    context.fillStyle = this.#mark_color;
    context.fillRect(left - 1, 0, 1, height);
    context.fillRect(right, 0, 1, height);
  }

  /**
   * Draws a frame around the thread's span, the holds that it waited for, and a line to the
   * holder's lane at the selected moment.
   */
  #drawSpan(
    context: CanvasRenderingContext2D,
    t_ns: number,
    { slot, from_ns, to_ns, holder, holds }: LaneSpan,
  ): void {
    const { x } = this.#frame.plot;
    const row_px = this.#rows.height_px;
    const row_of_slot = rowsOf(this.#shown);
    const row = row_of_slot.get(slot);
    if (row === undefined) return;
    const [left, right] = [x(from_ns / 1e9), x(to_ns / 1e9)];
    const strip_px = row_px * OWNER_STRIP_PART;
    for (const hold of holds) {
      const from_px = Math.max(left, x(hold.fromNs / 1e9));
      const to_px = Math.min(right, x((hold.toNs ?? to_ns) / 1e9));
      context.fillStyle = this.#owners[hold.slot % this.#owners.length]!;
      context.fillRect(from_px, (row + 1) * row_px - strip_px, Math.max(1, to_px - from_px), strip_px);
    }
    context.strokeStyle = context.fillStyle = this.#mark_color;
    context.lineWidth = 2;
    context.strokeRect(left, row * row_px, Math.max(2, right - left), row_px);
    if (holder !== null) this.#drawLink(context, x(t_ns / 1e9), row, row_of_slot.get(holder) ?? null);
  }

  /** Draws a line to the holder's lane, or to the edge if that lane is not visible. */
  #drawLink(context: CanvasRenderingContext2D, at_px: number, row: number, holder_row: number | null): void {
    const row_px = this.#rows.height_px;
    const end_px = holder_row === null ? this.#frame.plot.height : (holder_row + 0.5) * row_px;
    context.lineWidth = 2.5;
    context.beginPath();
    context.moveTo(at_px, (row + 0.5) * row_px);
    context.lineTo(at_px, end_px);
    context.stroke();
    context.beginPath();
    context.arc(at_px, end_px, CURSOR_DOT_PX, 0, 2 * Math.PI);
    context.fill();
  }
}

const rowsOf = (shown: readonly LaneThread[]) => new Map(shown.map(({ slot }, row) => [slot, row]));

const LABEL_CHARACTERS_MAX = 9;
/** Fewer than for numbers, because letters are wider than digits. */
const NAME_CHARACTERS_MAX = 6;

/** Shortens a name to the space beside the axis. */
function shortName(name: string): string {
  const short = name.replace(/^srv_/, '').replace(/^client (\d{3,})$/, 'cl. $1');
  if (short.length <= LABEL_CHARACTERS_MAX) return short;
  return `${short.slice(0, NAME_CHARACTERS_MAX)}…`;
}
