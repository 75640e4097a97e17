// Draws latch tracks on a canvas.
import { ChartFrame } from './chart-frame';
import { fillPattern } from './fill-pattern';
import { holdRuns, queueDepths, SHARERS_DRAWN_MAX, type HoldRun, type TrackPicture } from './latch-track';
import { OverlayCanvas } from './overlay-canvas';
import { ownerColors } from './owner-colors';
import type { Plot } from './plot';

/** Space above each row for its heading, which the page writes. */
export const TRACK_HEADING_REM = 1.35;
/** Share of the queue in the rest of the row; the holds are below it. */
const QUEUE_PART = 0.36;
const GAP_PX = 2;
const LABEL_PADDING_PX = 3;
/** Narrower adjacent holds are drawn without a gap. */
const GAP_FROM_PX = 3;

/** One row: a latch. */
export interface TrackRow {
  picture: Pick<TrackPicture, 'holds' | 'queue'>;
}

export interface TrackView {
  rows: readonly TrackRow[];
  range: TrackPicture['range'];
  nowNs: number;
  /** Text in a hold that is wide enough: the client's number. */
  ownerLabel: (slot: number) => string;
}

/** Draws the holds of each latch, and the number of waiting threads. */
export class LatchTrackChart {
  readonly #frame: ChartFrame;
  readonly #overlay: OverlayCanvas;
  #view: TrackView | null = null;
  #cursorNs: number | null = null;
  #solid: string[] = [];
  #shared: (string | CanvasPattern)[] = [];
  #queueColor = '';
  #labelColor = '';

  constructor(host: HTMLElement) {
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

  /**
   * Returns the moment and the row at a point of the host, in CSS pixels from its corner; null
   * outside the plot.
   */
  placeAt(xPx: number, yPx: number): { tNs: number; row: number } | null {
    if (this.#view === null) return null;
    const { rows, range, nowNs } = this.#view;
    const { left, top, width, height } = this.#frame.place;
    const part = (xPx - left) / width;
    const row = Math.floor(((yPx - top) / height) * rows.length);
    if (part < 0 || part > 1 || rows[row] === undefined) return null;
    return { tNs: Math.min(nowNs, range.fromNs + part * (range.toNs - range.fromNs)), row };
  }

  timeAt(xPx: number): { tNs: number; nsPerPx: number } | null {
    return this.#view === null ? null : this.#frame.timeAt(xPx);
  }

  draw(view: TrackView): void {
    this.#view = view;
    this.#redraw();
  }

  /** Draws the selected moment. */
  drawCursor(tNs: number | null): void {
    this.#cursorNs = tNs;
    if (tNs === null || this.#view === null) {
      this.#overlay.clear();
      return;
    }
    const { x, height, style } = this.#frame.plot;
    drawCursorLine(this.#overlay.begin(), x(tNs / 1e9), height, style.ink);
  }

  restyle(): void {
    this.#frame.restyle();
    const { context } = this.#frame;
    this.#solid = ownerColors.map((property) => this.#frame.color(property));
    this.#labelColor = this.#frame.color('--owner-ink');
    this.#shared = this.#solid.map((color) =>
      fillPattern(context, { color, ink: this.#labelColor, texture: 'hatched' }),
    );
    this.#queueColor = this.#frame.color('--queue');
    this.#redraw();
  }

  destroy(): void {
    this.#frame.destroy();
  }

  #redraw(): void {
    if (this.#view === null) return;
    const { rows, nowNs, range } = this.#view;
    const rowPx = rows.length === 0 ? 0 : this.#frame.height / rows.length;
    const timeRange = { fromS: range.fromNs / 1e9, toS: range.toNs / 1e9 };
    const axis = { position: () => 0, ticks: [], format: String };
    this.#frame.draw({ range: timeRange, isVirtual: true, marks: [] }, axis, (plot) => {
      const columns = Math.max(1, Math.round(plot.width * window.devicePixelRatio));
      for (const [row, { picture }] of rows.entries())
        this.#drawRow(plot, { ...picture, range, nowNs, columns }, row * rowPx, rowPx);
    });
    this.#overlay.fit();
    this.drawCursor(this.#cursorNs);
  }

  #drawRow(plot: Plot, picture: TrackPicture, topPx: number, rowPx: number): void {
    const headingPx = TRACK_HEADING_REM * plot.remPx;
    const bandPx = rowPx - headingPx - GAP_PX;
    const queuePx = bandPx * QUEUE_PART;
    this.#drawQueue(plot, picture, topPx + headingPx, queuePx);
    const columnPx = plot.width / picture.columns;
    for (const run of holdRuns(picture))
      this.#drawHold(plot, run, columnPx, topPx + headingPx + queuePx, bandPx - queuePx);
  }

  /**
   * Draws a hold: an exclusive holder fills the band, shared holders have hatched stripes of it.
   */
  #drawHold({ context, style }: Plot, run: HoldRun, columnPx: number, topPx: number, heightPx: number): void {
    const leftPx = run.fromPx * columnPx;
    const runPx = (run.toPx - run.fromPx) * columnPx;
    const widthPx = runPx > GAP_FROM_PX ? runPx - 1 : runPx;
    const isShared = run.mode === 'S';
    const stripePx = isShared ? heightPx / SHARERS_DRAWN_MAX : heightPx;
    context.globalAlpha = 0.3 + 0.7 * run.heldPart;
    for (const [i, slot] of run.slots.entries()) {
      const fills = isShared ? this.#shared : this.#solid;
      context.fillStyle = fills[slot % fills.length]!;
      context.fillRect(leftPx, topPx + heightPx - (i + 1) * stripePx, widthPx, stripePx);
    }
    context.globalAlpha = 1;
    if (isShared) return;
    const label = this.#view!.ownerLabel(run.slots[0]!);
    context.font = style.axisFont;
    if (context.measureText(label).width + 2 * LABEL_PADDING_PX > widthPx) return;
    context.textAlign = 'left';
    context.textBaseline = 'middle';
    context.fillStyle = this.#labelColor;
    context.fillText(label, leftPx + LABEL_PADDING_PX, topPx + heightPx / 2);
  }

  #drawQueue({ context, width }: Plot, picture: TrackPicture, topPx: number, heightPx: number): void {
    const columnPx = width / picture.columns;
    const depths = queueDepths(picture);
    const deepest = depths.reduce((most, depth) => Math.max(most, depth), 1);
    context.fillStyle = this.#queueColor;
    for (const [column, depth] of depths.entries()) {
      if (depth === 0) continue;
      const depthPx = (heightPx * depth) / deepest;
      context.fillRect(column * columnPx, topPx + heightPx - depthPx, columnPx, depthPx);
    }
  }
}

/** Draws a vertical line through all rows at one moment. */
export function drawCursorLine(
  context: CanvasRenderingContext2D,
  leftPx: number,
  heightPx: number,
  color: string,
): void {
  const left = Math.round(leftPx) + 0.5;
  context.strokeStyle = color;
  context.lineWidth = 1.5;
  context.setLineDash([]);
  context.beginPath();
  context.moveTo(left, 0);
  context.lineTo(left, heightPx);
  context.stroke();
}
