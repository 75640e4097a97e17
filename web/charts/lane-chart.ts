// Draws thread lanes on a canvas.
import { thread_states } from '../contract/gen/telemetry-layout';
import type { ThreadState } from '../contract/telemetry-states';
import { ChartFrame } from './chart-frame';
import { drawCursorLine } from './latch-track-chart';
import { pathPicture } from './lane-path';
import { laneRows, laneRuns, ROW_PX_MAX, type LanePicture, type LaneRun, type LaneSource } from './lanes';
import { OverlayCanvas } from './overlay-canvas';
import { ownerColors } from './owner-colors';
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
  tNs: number;
  span: LaneSpan | null;
}

/** The thread's activity around that moment. */
export interface LaneSpan {
  slot: number;
  fromNs: number;
  toNs: number;
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
  /** All threads of the run, in row order. The chart shows as many as fit, from `firstRow` on. */
  threads: readonly LaneThread[];
  firstRow: number;
  nowNs: number;
  range: LanePicture['range'];
  /** Holds of the selected latch, marked in the lanes of their threads. */
  holds: readonly Hold[];
  /** The chain of a transaction; everything else is pale. */
  path?: ChainPath | null;
  /** The selected part of the chain. */
  pathPart?: PathPart | null;
}

/** Draws a lane for each thread, over a window of virtual time. */
export class LaneChart {
  readonly #styles: readonly LaneStyle[];
  readonly #rowPxMax: number;
  readonly #frame: ChartFrame;
  readonly #overlay: OverlayCanvas;
  #view: LaneView | null = null;
  #cursor: LaneCursor | null = null;
  #fills = new Map<number, { color: string; height: number }>();
  #owners: string[] = [];
  #markColor = '';
  #veilColor = '';

  constructor(host: HTMLElement, styles: readonly LaneStyle[], { row_px_max = ROW_PX_MAX } = {}) {
    this.#styles = styles;
    this.#rowPxMax = row_px_max;
    this.#frame = new ChartFrame(host, {
      hasMarkLabels: false,
      onResize: () => {
        this.#redraw();
      },
    });
    this.#overlay = new OverlayCanvas(this.#frame);
    host.append(this.#overlay.canvas);
    this.restyle();
  }

  /** Returns how many lanes fit. */
  rowsFor(threads: number, showsPath: boolean): number {
    return this.#rowsOf(threads, showsPath).count;
  }

  /**
   * Returns the thread and the moment at a point of the canvas, in CSS pixels from its corner; null
   * outside the lanes.
   */
  placeAt(xPx: number, yPx: number): { slot: number; tNs: number } | null {
    if (this.#view === null) return null;
    const { threads, firstRow, nowNs, range } = this.#view;
    const { left, top, width } = this.#frame.place;
    const rows = this.#rows;
    const row = Math.floor((yPx - top) / rows.heightPx);
    const part = (xPx - left) / width;
    const thread = row >= 0 && row < rows.count ? threads[firstRow + row] : undefined;
    if (thread === undefined || part < 0 || part > 1) return null;
    const tNs = range.fromNs + part * (range.toNs - range.fromNs);
    return { slot: thread.slot, tNs: Math.min(tNs, nowNs) };
  }

  timeAt(xPx: number): { tNs: number; nsPerPx: number } | null {
    return this.#view === null ? null : this.#frame.timeAt(xPx);
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
    drawCursorLine(context, x(cursor.tNs / 1e9), height, style.ink);
    if (cursor.span !== null) this.#drawSpan(context, cursor.tNs, cursor.span);
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
    this.#owners = ownerColors.map((property) => this.#frame.color(property));
    this.#markColor = this.#frame.color('--mark');
    this.#veilColor = this.#frame.color('--panel');
    this.#redraw();
  }

  destroy(): void {
    this.#frame.destroy();
  }

  get #rows() {
    const { threads, path } = this.#view ?? { threads: [] };
    return this.#rowsOf(threads.length, path != null);
  }

  #rowsOf(threads: number, showsPath: boolean) {
    return laneRows(threads, this.#frame.height, { shows_path: showsPath, row_px_max: this.#rowPxMax });
  }

  get #shown(): readonly LaneThread[] {
    const { threads, firstRow } = this.#view!;
    return threads.slice(firstRow, firstRow + this.#rows.count);
  }

  #redraw(): void {
    if (this.#view === null) return;
    const { lanes, nowNs, range } = this.#view;
    const rows = this.#rows;
    const shown = this.#shown;
    const position = (row: number) => (row + 0.5) * rows.heightPx;
    const step = Math.max(1, Math.ceil(LABEL_SPACING_PX / Math.max(1, rows.heightPx)));
    const ticks = Array.from({ length: Math.ceil(shown.length / step) }, (_, i) => i * step);
    const format = (row: number) => shortName(shown[row]?.name ?? '');
    const timeRange = { fromS: range.fromNs / 1e9, toS: range.toNs / 1e9 };
    this.#frame.draw(
      { range: timeRange, isVirtual: true, marks: [] },
      { position, ticks, format },
      (plot) => {
        const columns = Math.max(1, Math.round(plot.width * window.devicePixelRatio));
        const states = thread_states.length;
        const runs = laneRuns({ lanes, threads: shown, nowNs, range, columns, states });
        this.#drawRuns(plot, runs, plot.width / columns, rows.heightPx);
        this.#drawHolds(plot, shown, rows.heightPx);
        this.#drawPath(plot, shown, columns, rows.heightPx);
      },
    );
    this.#overlay.fit();
    this.drawCursor(this.#cursor);
  }

  // Draws state by state, so that the color rarely changes.
  #drawRuns({ context }: Plot, runs: readonly LaneRun[], columnPx: number, rowPx: number): void {
    const lanePx = rowPx * (1 - ROW_GAP_PART);
    for (const [state, { color, height }] of this.#fills) {
      context.fillStyle = color;
      for (const run of runs) {
        if (run.state !== state) continue;
        const top = (run.row + 0.5) * rowPx + lanePx / 2 - lanePx * height;
        context.fillRect(run.fromPx * columnPx, top, (run.toPx - run.fromPx) * columnPx, lanePx * height);
      }
    }
  }

  /** Draws a bar at the upper edge of a lane while its thread holds the latch. */
  #drawHolds({ context, x }: Plot, shown: readonly LaneThread[], rowPx: number): void {
    const { holds, nowNs, range } = this.#view!;
    const rowOfSlot = rowsOf(shown);
    const barPx = Math.max(HOLD_BAR_MIN_PX, rowPx * HOLD_BAR_PART);
    context.fillStyle = this.#markColor;
    for (const { slot, fromNs, toNs } of holds) {
      if (fromNs > range.toNs) break;
      const untilNs = toNs ?? nowNs;
      const row = rowOfSlot.get(slot);
      if (row === undefined || untilNs < range.fromNs) continue;
      const left = x(fromNs / 1e9);
      context.fillRect(left, row * rowPx, Math.max(1, x(untilNs / 1e9) - left), barPx);
    }
  }

  /**
   * Draws the chain of a transaction in full colors. A frame surrounds the transaction, lines lead
   * to its holders, and bars mark the ends of the chain.
   */
  #drawPath(plot: Plot, shown: readonly LaneThread[], columns: number, rowPx: number): void {
    const { path, pathPart, range } = this.#view!;
    if (path == null) return;
    const { context, width, height, x } = plot;
    context.fillStyle = this.#veilColor;
    context.globalAlpha = VEIL_OPACITY;
    context.fillRect(0, 0, width, height);
    context.globalAlpha = 1;
    const frame = { threads: shown, range, columns, states: thread_states.length };
    const { runs, ends, links } = pathPicture(path, frame);
    const columnPx = width / columns;
    this.#drawRuns(plot, runs, columnPx, rowPx);
    context.fillStyle = context.strokeStyle = this.#markColor;
    for (const { row, fromPx, toPx } of ends)
      context.fillRect(
        fromPx * columnPx,
        (row + 1) * rowPx - PATH_END_BAR_PX,
        (toPx - fromPx) * columnPx,
        PATH_END_BAR_PX,
      );
    context.lineWidth = 1;
    for (const { atPx, fromRow, toRow } of links) {
      context.beginPath();
      context.moveTo(atPx * columnPx, (fromRow + 0.5) * rowPx);
      context.lineTo(atPx * columnPx, (toRow + 0.5) * rowPx);
      context.stroke();
    }
    if (pathPart != null) this.#drawPartEdges(plot, pathPart);
    const ownRow = rowsOf(shown).get(path.slot);
    if (ownRow === undefined) return;
    const { fromNs, toNs } = pathPart ?? path;
    const [left, right] = [x(fromNs / 1e9), x(toNs / 1e9)];
    context.lineWidth = 2;
    context.strokeRect(left, ownRow * rowPx, Math.max(2, right - left), rowPx);
  }

  /**
   * Draws the edges of a part of the transaction through all lanes. The causes of the part lie
   * between them.
   */
  #drawPartEdges({ context, width, height, x }: Plot, { fromNs, toNs }: PathPart): void {
    const [left, right] = [x(fromNs / 1e9), x(toNs / 1e9)];
    context.fillStyle = this.#veilColor;
    context.globalAlpha = VEIL_OPACITY;
    context.fillRect(0, 0, left, height);
    context.fillRect(right, 0, width - right, height);
    context.globalAlpha = 1;
    context.fillStyle = this.#markColor;
    context.fillRect(left - 1, 0, 1, height);
    context.fillRect(right, 0, 1, height);
  }

  /**
   * Draws a frame around the thread's span, the holds that it waited for, and a line to the
   * holder's lane at the selected moment.
   */
  #drawSpan(
    context: CanvasRenderingContext2D,
    tNs: number,
    { slot, fromNs, toNs, holder, holds }: LaneSpan,
  ): void {
    const { x } = this.#frame.plot;
    const rowPx = this.#rows.heightPx;
    const rowOfSlot = rowsOf(this.#shown);
    const row = rowOfSlot.get(slot);
    if (row === undefined) return;
    const [left, right] = [x(fromNs / 1e9), x(toNs / 1e9)];
    const stripPx = rowPx * OWNER_STRIP_PART;
    for (const hold of holds) {
      const fromPx = Math.max(left, x(hold.fromNs / 1e9));
      const toPx = Math.min(right, x((hold.toNs ?? toNs) / 1e9));
      context.fillStyle = this.#owners[hold.slot % this.#owners.length]!;
      context.fillRect(fromPx, (row + 1) * rowPx - stripPx, Math.max(1, toPx - fromPx), stripPx);
    }
    context.strokeStyle = context.fillStyle = this.#markColor;
    context.lineWidth = 2;
    context.strokeRect(left, row * rowPx, Math.max(2, right - left), rowPx);
    if (holder !== null) this.#drawLink(context, x(tNs / 1e9), row, rowOfSlot.get(holder) ?? null);
  }

  /** Draws a line to the holder's lane, or to the edge if that lane is not visible. */
  #drawLink(context: CanvasRenderingContext2D, atPx: number, row: number, holderRow: number | null): void {
    const rowPx = this.#rows.heightPx;
    const endPx = holderRow === null ? this.#frame.plot.height : (holderRow + 0.5) * rowPx;
    context.lineWidth = 2.5;
    context.beginPath();
    context.moveTo(atPx, (row + 0.5) * rowPx);
    context.lineTo(atPx, endPx);
    context.stroke();
    context.beginPath();
    context.arc(atPx, endPx, CURSOR_DOT_PX, 0, 2 * Math.PI);
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
