// Draws thread lanes on a canvas.
import { thread_states } from '../contract/gen/telemetry-layout';
import type { ThreadState } from '../contract/telemetry-states';
import { CanvasChart, timeIn } from './canvas-chart';
import { drawCursorLine, drawVeil } from './canvas-shapes';
import type { Plot } from './chart';
import { pathPicture } from './lane-path';
import { laneRows, laneRuns, ROW_PX_MAX, type LanePicture, type LaneRun, type LaneSource } from './lanes';
import { ownerColor } from './latch-track';
import { OverlayCanvas } from './overlay-canvas';
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
export class LaneChart extends CanvasChart<LaneView> {
  readonly #styles: readonly LaneStyle[];
  readonly #rowPxMax: number;
  readonly #overlay = new OverlayCanvas(this);
  #cursor: LaneCursor | null = null;

  constructor(host: HTMLElement, styles: readonly LaneStyle[], { row_px_max = ROW_PX_MAX } = {}) {
    super(host);
    this.#styles = styles;
    this.#rowPxMax = row_px_max;
    host.append(this.#overlay.canvas);
  }

  /** Returns how many lanes fit. */
  rowsFor(threads: number, showsPath: boolean): number {
    return this.#rowsOf(threads, showsPath).count;
  }

  /**
   * Returns the thread and the moment at a point of the canvas, in CSS pixels from its corner; null
   * outside the lanes.
   */
  laneAt(xPx: number, yPx: number): { slot: number; tNs: number } | null {
    const part = this.partsAt(xPx, yPx);
    if (this.view === null || part === null) return null;
    const { threads, firstRow, nowNs, range } = this.view;
    const rows = this.#rows;
    const row = Math.floor((part.top * this.plot.height) / rows.heightPx);
    const thread = row >= 0 && row < rows.count ? threads[firstRow + row] : undefined;
    if (thread === undefined) return null;
    return { slot: thread.slot, tNs: Math.min(nowNs, timeIn(range, part.left)) };
  }

  drawCursor(cursor: LaneCursor | null): void {
    this.#cursor = cursor;
    if (cursor === null || this.view === null) {
      this.#overlay.clear();
      return;
    }
    const context = this.#overlay.begin();
    const { x, height, width, style } = this.plot;
    context.save();
    context.beginPath();
    context.rect(0, 0, width, height);
    context.clip();
    drawCursorLine(context, x(cursor.tNs / 1e9), height, style.ink);
    if (cursor.span !== null) this.#drawSpan(context, cursor.tNs, cursor.span);
    context.restore();
  }

  get #rows() {
    const { threads, path } = this.view ?? { threads: [] };
    return this.#rowsOf(threads.length, path != null);
  }

  #rowsOf(threads: number, showsPath: boolean) {
    return laneRows(threads, this.plot.height, { shows_path: showsPath, row_px_max: this.#rowPxMax });
  }

  get #shown(): readonly LaneThread[] {
    const { threads, firstRow } = this.view!;
    return threads.slice(firstRow, firstRow + this.#rows.count);
  }

  protected override drawView({ lanes, nowNs, range }: LaneView): void {
    const rows = this.#rows;
    const shown = this.#shown;
    const position = (row: number) => (row + 0.5) * rows.heightPx;
    const step = Math.max(1, Math.ceil(LABEL_SPACING_PX / Math.max(1, rows.heightPx)));
    const ticks = Array.from({ length: Math.ceil(shown.length / step) }, (_, i) => i * step);
    const format = (row: number) => shortName(shown[row]?.name ?? '');
    this.drawTimes(range, { position, ticks, format }, (plot) => {
      const columns = Math.max(1, Math.round(plot.width * window.devicePixelRatio));
      const states = thread_states.length;
      const runs = laneRuns({ lanes, threads: shown, nowNs, range, columns, states });
      this.#drawRuns(plot, runs, plot.width / columns, rows.heightPx);
      this.#drawHolds(plot, shown, rows.heightPx);
      this.#drawPath(plot, shown, columns, rows.heightPx);
    });
    this.#overlay.fit();
    this.drawCursor(this.#cursor);
  }

  // Draws state by state, so that the color rarely changes.
  #drawRuns({ context }: Plot, runs: readonly LaneRun[], columnPx: number, rowPx: number): void {
    const lanePx = rowPx * (1 - ROW_GAP_PART);
    for (const { state, color, height } of this.#styles) {
      context.fillStyle = this.color(color);
      const index = thread_states.indexOf(state);
      for (const run of runs) {
        if (run.state !== index) continue;
        const top = (run.row + 0.5) * rowPx + lanePx / 2 - lanePx * height;
        context.fillRect(run.fromPx * columnPx, top, (run.toPx - run.fromPx) * columnPx, lanePx * height);
      }
    }
  }

  /** Draws a bar at the upper edge of a lane while its thread holds the latch. */
  #drawHolds({ context, x }: Plot, shown: readonly LaneThread[], rowPx: number): void {
    const { holds, nowNs, range } = this.view!;
    const rowOfSlot = rowsOf(shown);
    const barPx = Math.max(HOLD_BAR_MIN_PX, rowPx * HOLD_BAR_PART);
    context.fillStyle = this.color('--mark');
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
    const { path, pathPart, range } = this.view!;
    if (path == null) return;
    const { context, width, x } = plot;
    drawVeil(plot, width, width, VEIL_OPACITY);
    const frame = { threads: shown, range, columns, states: thread_states.length };
    const { runs, ends, links } = pathPicture(path, frame);
    const columnPx = width / columns;
    this.#drawRuns(plot, runs, columnPx, rowPx);
    context.fillStyle = context.strokeStyle = this.color('--mark');
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
  #drawPartEdges(plot: Plot, { fromNs, toNs }: PathPart): void {
    const { context, height, x } = plot;
    const [left, right] = [x(fromNs / 1e9), x(toNs / 1e9)];
    drawVeil(plot, left, right, VEIL_OPACITY);
    context.fillStyle = this.color('--mark');
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
    const { x } = this.plot;
    const rowPx = this.#rows.heightPx;
    const rowOfSlot = rowsOf(this.#shown);
    const row = rowOfSlot.get(slot);
    if (row === undefined) return;
    const [left, right] = [x(fromNs / 1e9), x(toNs / 1e9)];
    const stripPx = rowPx * OWNER_STRIP_PART;
    for (const hold of holds) {
      const fromPx = Math.max(left, x(hold.fromNs / 1e9));
      const toPx = Math.min(right, x((hold.toNs ?? toNs) / 1e9));
      context.fillStyle = this.color(ownerColor(hold.slot));
      context.fillRect(fromPx, (row + 1) * rowPx - stripPx, Math.max(1, toPx - fromPx), stripPx);
    }
    context.strokeStyle = context.fillStyle = this.color('--mark');
    context.lineWidth = 2;
    context.strokeRect(left, row * rowPx, Math.max(2, right - left), rowPx);
    if (holder !== null) this.#drawLink(context, x(tNs / 1e9), row, rowOfSlot.get(holder) ?? null);
  }

  /** Draws a line to the holder's lane, or to the edge if that lane is not visible. */
  #drawLink(context: CanvasRenderingContext2D, atPx: number, row: number, holderRow: number | null): void {
    const rowPx = this.#rows.heightPx;
    const endPx = holderRow === null ? this.plot.height : (holderRow + 0.5) * rowPx;
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
