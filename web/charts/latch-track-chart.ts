// Draws latch tracks on a canvas.
import { noAxis } from './axes';
import { CanvasChart, timeIn } from './canvas-chart';
import { drawCursorLine } from './canvas-shapes';
import type { Plot } from './chart';
import {
  drawQueue,
  holdRuns,
  ownerColor,
  SHARERS_DRAWN_MAX,
  type HoldRun,
  type TrackPicture,
} from './latch-track';
import { OverlayCanvas } from './overlay-canvas';

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
export class LatchTrackChart extends CanvasChart<TrackView> {
  readonly #overlay = new OverlayCanvas(this);
  #cursorNs: number | null = null;

  constructor(host: HTMLElement) {
    super(host);
    host.append(this.#overlay.canvas);
  }

  /**
   * Returns the moment and the row at a point of the host, in CSS pixels from its corner; null
   * outside the plot.
   */
  rowAt(xPx: number, yPx: number): { tNs: number; row: number } | null {
    const part = this.partsAt(xPx, yPx);
    if (this.view === null || part === null) return null;
    const { rows, range, nowNs } = this.view;
    const row = Math.floor(part.top * rows.length);
    return rows[row] === undefined ? null : { tNs: Math.min(nowNs, timeIn(range, part.left)), row };
  }

  /** Draws the selected moment. */
  drawCursor(tNs: number | null): void {
    this.#cursorNs = tNs;
    if (tNs === null || this.view === null) {
      this.#overlay.clear();
      return;
    }
    const { x, height, style } = this.plot;
    drawCursorLine(this.#overlay.begin(), x(tNs / 1e9), height, style.ink);
  }

  protected override drawView({ rows, nowNs, range }: TrackView): void {
    const rowPx = rows.length === 0 ? 0 : this.plot.height / rows.length;
    this.drawTimes(range, noAxis, (plot) => {
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
    plot.context.fillStyle = this.color('--queue');
    drawQueue(plot, picture, topPx + headingPx, queuePx);
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
      context.fillStyle = this.fill(ownerColor(slot), isShared ? 'hatched' : 'plain', '--owner-ink');
      context.fillRect(leftPx, topPx + heightPx - (i + 1) * stripePx, widthPx, stripePx);
    }
    context.globalAlpha = 1;
    if (isShared) return;
    const label = this.view!.ownerLabel(run.slots[0]!);
    context.font = style.axisFont;
    if (context.measureText(label).width + 2 * LABEL_PADDING_PX > widthPx) return;
    context.textAlign = 'left';
    context.textBaseline = 'middle';
    context.fillStyle = this.color('--owner-ink');
    context.fillText(label, leftPx + LABEL_PADDING_PX, topPx + heightPx / 2);
  }
}
