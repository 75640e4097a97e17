import { marksAtRow, nearestRow } from './chart-viewport';
import type { HistoryRows } from '../recording/history';
import { momentText } from './axes';
import { CanvasChart } from './canvas-chart';
import { drawCursorLine } from './canvas-shapes';
import type { ChartView, PointedAt, TimeRange } from './chart';
import { OverlayCanvas } from './overlay-canvas';
import { Readout, type Reading } from './readout';

const DOT_RADIUS_PX = 3.5;
const LINE_WIDTH_PX = 1;
const MOMENT_WIDTH_PX = 2 * Math.ceil(DOT_RADIUS_PX + LINE_WIDTH_PX);
const BRUSH_OPACITY = 0.22;

/** Maps a value to its height in the plot; null for charts whose values are not heights. */
type TopOf = ((value: number) => number) | null;

/**
 * A chart over run time in which a reader can select a moment. The moment is on a separate canvas
 * above the data, so that moving it does not redraw the data. A readout shows the values and events
 * of the nearest row.
 */
export abstract class TimeChart extends CanvasChart<ChartView> {
  readonly #readings: readonly Reading[];
  readonly #brushOverlay = new OverlayCanvas(this);
  readonly #moment = new OverlayCanvas(this, MOMENT_WIDTH_PX);
  readonly #readout: Readout | null;
  protected topOf: TopOf = null;
  #pointedAt: PointedAt = { tS: null, brush: null };

  /** Creates a chart. Without readings, no moment can be selected. */
  constructor(host: HTMLElement, readings: readonly Reading[], hasMarkLabels = false) {
    super(host, hasMarkLabels);
    this.#readings = readings;
    this.#readout = readings.length === 0 ? null : new Readout(readings);
    if (this.#readout !== null)
      host.append(this.#brushOverlay.canvas, this.#moment.canvas, this.#readout.room);
  }

  /** Shows the selected moment, whether selected in this chart or in another. */
  point(pointedAt: PointedAt): void {
    this.#pointedAt = pointedAt;
    this.#drawPointedAt();
  }

  protected override redraw(): void {
    super.redraw();
    this.#fitHost();
    this.#drawPointedAt();
  }

  #fitHost(): void {
    if (this.#readout === null || !this.#brushOverlay.fit()) return;
    this.#moment.fit();
    this.#readout.fit(this.marginPx);
  }

  #drawPointedAt(): void {
    if (this.#readout === null || this.view === null) return;
    const { tS, brush } = this.#pointedAt;
    if (brush === null) this.#brushOverlay.clear();
    else this.#drawBrush(brush);
    const row = tS === null ? null : nearestRow(this.#times, this.view.range, tS);
    if (row === null) {
      this.#moment.clear();
      this.#readout.hide();
    } else this.#drawMoment(row);
  }

  get #times(): Float64Array {
    return this.view!.history.column('t_s');
  }

  #drawBrush({ fromS, toS }: TimeRange): void {
    const { x, height } = this.plot;
    const context = this.#brushOverlay.begin();
    const [left, right] = [x(fromS), x(toS)];
    context.save();
    context.globalAlpha = BRUSH_OPACITY;
    context.fillStyle = context.strokeStyle = this.color('--accent');
    context.fillRect(left, 0, right - left, height);
    context.globalAlpha = 1;
    context.strokeRect(left, 0, right - left, height);
    context.restore();
  }

  #drawMoment(row: number): void {
    const { history, range, isVirtual, marks, previous = null } = this.view!;
    const rowS = this.#times[row]!;
    const left = this.plot.x(rowS);
    const context = this.#moment.beginAround(left);
    drawCursorLine(context, left, this.plot.height, this.plot.style.ink, LINE_WIDTH_PX);
    this.#drawDots(context, left, row);
    this.#readout!.show({
      leftPart: left / this.plot.width,
      leftPx: left,
      moment: momentText(rowS, range, isVirtual),
      values: this.#readings.map(({ column }) => history.column(column)[row]!),
      valuesBefore: previous === null ? null : this.#valuesAt(previous, rowS),
      marks: marksAtRow(this.#times, row, marks, ({ tS }) => tS).map(({ text, label }) => text ?? label),
    });
  }

  /** Returns another run's values at the same moment; NaN after its end. */
  #valuesAt(history: HistoryRows, tS: number): number[] {
    const row = tS > history.endS ? null : nearestRow(history.column('t_s'), this.view!.range, tS);
    return this.#readings.map(({ column }) => (row === null ? Number.NaN : history.column(column)[row]!));
  }

  #drawDots(context: CanvasRenderingContext2D, left: number, row: number): void {
    if (this.topOf === null) return;
    for (const { column, color } of this.#readings) {
      const value = this.view!.history.column(column)[row]!;
      if (Number.isNaN(value)) continue;
      context.fillStyle = this.color(color);
      context.strokeStyle = this.plot.style.panel;
      context.beginPath();
      context.arc(left, this.topOf(value), DOT_RADIUS_PX, 0, 2 * Math.PI);
      context.fill();
      context.stroke();
    }
  }
}
