import { marksAtRow, nearestRow } from './chart-viewport';
import type { HistoryRows } from '../recording/history';
import { momentText } from './axes';
import type { ChartView, PointedAt, TimeRange } from './chart';
import type { ChartFrame } from './chart-frame';
import { OverlayCanvas } from './overlay-canvas';
import { Readout, type Reading } from './readout';

const DOT_RADIUS_PX = 3.5;
const LINE_WIDTH_PX = 1;
const MOMENT_WIDTH_PX = 2 * Math.ceil(DOT_RADIUS_PX + LINE_WIDTH_PX);
const BRUSH_OPACITY = 0.22;

/** Maps a value to its height in the plot; null for charts whose values are not heights. */
type TopOf = ((value: number) => number) | null;

/**
 * Draws the selected moment on a separate canvas above the data, so that moving it does not redraw
 * the data. Shows the values of the nearest row, and its events.
 */
export class CrosshairLayer {
  readonly #frame: ChartFrame;
  readonly #readings: readonly Reading[];
  readonly #brush_overlay: OverlayCanvas;
  readonly #moment: OverlayCanvas;
  readonly #readout: Readout | null;
  #view: ChartView | null = null;
  #topOf: TopOf = null;
  #pointed_at: PointedAt = { t_s: null, brush: null };
  #colors: string[] = [];
  #brush_color = '';

  /** Creates the layer. Without readings it has no canvas, and no moment can be selected. */
  constructor(host: HTMLElement, frame: ChartFrame, readings: readonly Reading[]) {
    this.#frame = frame;
    this.#readings = readings;
    this.#brush_overlay = new OverlayCanvas(frame);
    this.#moment = new OverlayCanvas(frame, MOMENT_WIDTH_PX);
    this.#readout = readings.length === 0 ? null : new Readout(readings);
    if (this.#readout !== null)
      host.append(this.#brush_overlay.canvas, this.#moment.canvas, this.#readout.room);
  }

  /** Reads colors from the style sheet again. */
  restyle(): void {
    this.#colors = this.#readings.map(({ color }) => this.#frame.color(color));
    this.#brush_color = this.#frame.color('--accent');
  }

  /** Follows a new drawing of the data. */
  follow(view: ChartView, topOf: TopOf): void {
    this.#view = view;
    this.#topOf = topOf;
    this.#fitHost();
    this.#draw();
  }

  point(pointed_at: PointedAt): void {
    this.#pointed_at = pointed_at;
    this.#draw();
  }

  #fitHost(): void {
    if (this.#readout === null || !this.#brush_overlay.fit()) return;
    this.#moment.fit();
    this.#readout.fit(this.#frame.margin_px);
  }

  #draw(): void {
    if (this.#readout === null || this.#view === null) return;
    const { t_s, brush } = this.#pointed_at;
    if (brush === null) this.#brush_overlay.clear();
    else this.#drawBrush(brush);
    const row = t_s === null ? null : nearestRow(this.#times, this.#view.range, t_s);
    if (row === null) {
      this.#moment.clear();
      this.#readout.hide();
    } else this.#drawMoment(row);
  }

  get #times(): Float64Array {
    return this.#view!.history.column('t_s');
  }

  #drawBrush({ fromS, toS }: TimeRange): void {
    const { x, height } = this.#frame.plot;
    const context = this.#brush_overlay.begin();
    const [left, right] = [x(fromS), x(toS)];
    context.save();
    context.globalAlpha = BRUSH_OPACITY;
    context.fillStyle = this.#brush_color;
    context.fillRect(left, 0, right - left, height);
    context.globalAlpha = 1;
    context.strokeStyle = this.#brush_color;
    context.strokeRect(left, 0, right - left, height);
    context.restore();
  }

  #drawMoment(row: number): void {
    const { history, range, is_virtual, marks, previous = null } = this.#view!;
    const row_s = this.#times[row]!;
    const left = this.#frame.plot.x(row_s);
    const context = this.#moment.beginAround(left);
    this.#drawLine(context, left);
    this.#drawDots(context, left, row);
    this.#readout!.show({
      left_part: left / this.#frame.plot.width,
      left_px: left,
      moment: momentText(row_s, range, is_virtual),
      values: this.#readings.map(({ column }) => history.column(column)[row]!),
      values_before: previous === null ? null : this.#valuesAt(previous, row_s),
      marks: marksAtRow(this.#times, row, marks, ({ t_s }) => t_s).map(({ text, label }) => text ?? label),
    });
  }

  /** Returns another run's values at the same moment; NaN after its end. */
  #valuesAt(history: HistoryRows, t_s: number): number[] {
    const row = t_s > history.endS ? null : nearestRow(history.column('t_s'), this.#view!.range, t_s);
    return this.#readings.map(({ column }) => (row === null ? Number.NaN : history.column(column)[row]!));
  }

  #drawLine(context: CanvasRenderingContext2D, left: number): void {
    const { height, style } = this.#frame.plot;
    context.strokeStyle = style.ink;
    context.lineWidth = LINE_WIDTH_PX;
    context.beginPath();
    context.moveTo(Math.round(left) + 0.5, 0);
    context.lineTo(Math.round(left) + 0.5, height);
    context.stroke();
  }

  #drawDots(context: CanvasRenderingContext2D, left: number, row: number): void {
    if (this.#topOf === null) return;
    for (const [i, { column }] of this.#readings.entries()) {
      const value = this.#view!.history.column(column)[row]!;
      if (Number.isNaN(value)) continue;
      context.fillStyle = this.#colors[i]!;
      context.strokeStyle = this.#frame.plot.style.panel;
      context.beginPath();
      context.arc(left, this.#topOf(value), DOT_RADIUS_PX, 0, 2 * Math.PI);
      context.fill();
      context.stroke();
    }
  }
}
