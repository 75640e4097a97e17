// Draws latch tracks on a canvas.
import { ChartFrame } from './chart-frame';
import { fillPattern } from './fill-pattern';
import { holdRuns, queueDepths, SHARERS_DRAWN_MAX, type HoldRun, type TrackPicture } from './latch-track';
import { OverlayCanvas } from './overlay-canvas';
import { owner_colors } from './owner-colors';
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
  now_ns: number;
  /** Text in a hold that is wide enough: the client's number. */
  ownerLabel: (slot: number) => string;
}

/** Draws the holds of each latch, and the number of waiting threads. */
export class LatchTrackChart {
  readonly #frame: ChartFrame;
  readonly #overlay: OverlayCanvas;
  #view: TrackView | null = null;
  #cursor_ns: number | null = null;
  #solid: string[] = [];
  #shared: (string | CanvasPattern)[] = [];
  #queue_color = '';
  #label_color = '';

  constructor(host: HTMLElement) {
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

  /**
   * Returns the moment and the row at a point of the host, in CSS pixels from its corner; null
   * outside the plot.
   */
  placeAt(x_px: number, y_px: number): { t_ns: number; row: number } | null {
    if (this.#view === null) return null;
    const { rows, range, now_ns } = this.#view;
    const { left, top, width, height } = this.#frame.place;
    const part = (x_px - left) / width;
    const row = Math.floor(((y_px - top) / height) * rows.length);
    if (part < 0 || part > 1 || rows[row] === undefined) return null;
    return { t_ns: Math.min(now_ns, range.fromNs + part * (range.toNs - range.fromNs)), row };
  }

  timeAt(x_px: number): { t_ns: number; ns_per_px: number } | null {
    return this.#view === null ? null : this.#frame.timeAt(x_px);
  }

  draw(view: TrackView): void {
    this.#view = view;
    this.#redraw();
  }

  /** Draws the selected moment. */
  drawCursor(t_ns: number | null): void {
    this.#cursor_ns = t_ns;
    if (t_ns === null || this.#view === null) {
      this.#overlay.clear();
      return;
    }
    const { x, height, style } = this.#frame.plot;
    drawCursorLine(this.#overlay.begin(), x(t_ns / 1e9), height, style.ink);
  }

  restyle(): void {
    this.#frame.restyle();
    const { context } = this.#frame;
    this.#solid = owner_colors.map((property) => this.#frame.color(property));
    this.#label_color = this.#frame.color('--owner-ink');
    this.#shared = this.#solid.map((color) =>
      fillPattern(context, { color, ink: this.#label_color, texture: 'hatched' }),
    );
    this.#queue_color = this.#frame.color('--queue');
    this.#redraw();
  }

  destroy(): void {
    this.#frame.destroy();
  }

  #redraw(): void {
    if (this.#view === null) return;
    const { rows, now_ns, range } = this.#view;
    const row_px = rows.length === 0 ? 0 : this.#frame.height / rows.length;
    const time_range = { fromS: range.fromNs / 1e9, toS: range.toNs / 1e9 };
    const axis = { position: () => 0, ticks: [], format: String };
    this.#frame.draw({ range: time_range, is_virtual: true, marks: [] }, axis, (plot) => {
      const columns = Math.max(1, Math.round(plot.width * window.devicePixelRatio));
      for (const [row, { picture }] of rows.entries())
        this.#drawRow(plot, { ...picture, range, now_ns, columns }, row * row_px, row_px);
    });
    this.#overlay.fit();
    this.drawCursor(this.#cursor_ns);
  }

  #drawRow(plot: Plot, picture: TrackPicture, top_px: number, row_px: number): void {
    const heading_px = TRACK_HEADING_REM * plot.rem_px;
    const band_px = row_px - heading_px - GAP_PX;
    const queue_px = band_px * QUEUE_PART;
    this.#drawQueue(plot, picture, top_px + heading_px, queue_px);
    const column_px = plot.width / picture.columns;
    for (const run of holdRuns(picture))
      this.#drawHold(plot, run, column_px, top_px + heading_px + queue_px, band_px - queue_px);
  }

  /**
   * Draws a hold: an exclusive holder fills the band, shared holders have hatched stripes of it.
   */
  #drawHold(
    { context, style }: Plot,
    run: HoldRun,
    column_px: number,
    top_px: number,
    height_px: number,
  ): void {
    const left_px = run.from_px * column_px;
    const run_px = (run.to_px - run.from_px) * column_px;
    const width_px = run_px > GAP_FROM_PX ? run_px - 1 : run_px;
    const is_shared = run.mode === 'S';
    const stripe_px = is_shared ? height_px / SHARERS_DRAWN_MAX : height_px;
    context.globalAlpha = 0.3 + 0.7 * run.held_part;
    for (const [i, slot] of run.slots.entries()) {
      const fills = is_shared ? this.#shared : this.#solid;
      context.fillStyle = fills[slot % fills.length]!;
      context.fillRect(left_px, top_px + height_px - (i + 1) * stripe_px, width_px, stripe_px);
    }
    context.globalAlpha = 1;
    if (is_shared) return;
    const label = this.#view!.ownerLabel(run.slots[0]!);
    context.font = style.axis_font;
    if (context.measureText(label).width + 2 * LABEL_PADDING_PX > width_px) return;
    context.textAlign = 'left';
    context.textBaseline = 'middle';
    context.fillStyle = this.#label_color;
    context.fillText(label, left_px + LABEL_PADDING_PX, top_px + height_px / 2);
  }

  #drawQueue({ context, width }: Plot, picture: TrackPicture, top_px: number, height_px: number): void {
    const column_px = width / picture.columns;
    const depths = queueDepths(picture);
    const deepest = depths.reduce((most, depth) => Math.max(most, depth), 1);
    context.fillStyle = this.#queue_color;
    for (const [column, depth] of depths.entries()) {
      if (depth === 0) continue;
      const depth_px = (height_px * depth) / deepest;
      context.fillRect(column * column_px, top_px + height_px - depth_px, column_px, depth_px);
    }
  }
}

/** Draws a vertical line through all rows at one moment. */
export function drawCursorLine(
  context: CanvasRenderingContext2D,
  left_px: number,
  height_px: number,
  color: string,
): void {
  const left = Math.round(left_px) + 0.5;
  context.strokeStyle = color;
  context.lineWidth = 1.5;
  context.setLineDash([]);
  context.beginPath();
  context.moveTo(left, 0);
  context.lineTo(left, height_px);
  context.stroke();
}
