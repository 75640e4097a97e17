import { scaleLinear, scaleLog } from 'd3-scale';
import { curveStepBefore, line } from 'd3-shape';

import type { HistoryRows } from '../recording/history';
import type { ChartMark, TimeRange } from './chart';
import { ChartFrame } from './chart-frame';
import type { RateScale } from './domains';
import type { Plot } from './plot';
import { drawnRows, extentOf, VisibleRows } from './visible-rows';

const LINE_WIDTH_PX = 1.25;
const VEIL_OPACITY = 0.68;
const EDGE_WIDTH_PX = 3;

export interface OverviewView {
  history: HistoryRows;
  marks: readonly ChartMark[];
  /** The whole run. */
  whole: TimeRange;
  /** The range that the charts above show. */
  shown: TimeRange;
  rateScale: RateScale;
  isVirtual: boolean;
}

/**
 * Draws a small chart of the whole run's throughput. A veil covers the time that the charts do not
 * show.
 */
export class OverviewChart {
  readonly #frame: ChartFrame;
  #view: OverviewView | null = null;
  #lineColor = '';
  #edgeColor = '';

  constructor(host: HTMLElement) {
    this.#frame = new ChartFrame(host, {
      hasMarkLabels: false,
      onResize: () => {
        this.#redraw();
      },
    });
    this.restyle();
  }

  draw(view: OverviewView): void {
    this.#view = view;
    this.#redraw();
  }

  restyle(): void {
    this.#frame.restyle();
    this.#lineColor = this.#frame.color('--series-transactions');
    this.#edgeColor = this.#frame.color('--accent');
    this.#redraw();
  }

  /**
   * Returns the moment at a point of the host, in pixels from its left edge, and the time per
   * pixel.
   */
  placeAt(leftPx: number): { tS: number; sPerPx: number } {
    const { tS } = this.#frame.placeAt(leftPx, 0);
    const { x, width } = this.#frame.plot;
    const [fromS = 0, toS = 0] = x.domain();
    return { tS, sPerPx: width === 0 ? 0 : (toS - fromS) / width };
  }

  destroy(): void {
    this.#frame.destroy();
  }

  #redraw(): void {
    if (this.#view === null) return;
    const { whole, shown, ...view } = this.#view;
    const axis = { position: () => 0, ticks: [], format: String };
    this.#frame.draw({ ...view, range: whole }, axis, (plot) => {
      this.#drawRates(plot);
      this.#drawWindow(plot, shown);
    });
  }

  #drawRates({ context, x, height, width }: Plot): void {
    const { history, whole, rateScale } = this.#view!;
    const rows = new VisibleRows(history, whole);
    const [times, rates] = [rows.column('t_s'), rows.column('transactions_per_s')];
    const [smallest, largest] = extentOf([rates], 0);
    if (!Number.isFinite(largest)) return;
    const low = rateScale === 'log' ? smallest / 2 : 0;
    const y = (rateScale === 'log' ? scaleLog() : scaleLinear())
      .domain([low, largest])
      .range([height - 1, 2]);
    const leftOf = (row: number) => x(times[row]!);
    const path = line<number>()
      .defined((row) => !Number.isNaN(rates[row]!))
      .x(leftOf)
      .y((row) => y(Math.max(rates[row]!, low)))
      .curve(curveStepBefore)
      .context(context);
    context.strokeStyle = this.#lineColor;
    context.lineWidth = LINE_WIDTH_PX;
    context.setLineDash([]);
    context.beginPath();
    path(drawnRows(rates, leftOf, width));
    context.stroke();
  }

  #drawWindow({ context, x, height, width, style }: Plot, { fromS, toS }: TimeRange): void {
    const [left, right] = [Math.max(0, x(fromS)), Math.min(width, x(toS))];
    context.save();
    context.globalAlpha = VEIL_OPACITY;
    context.fillStyle = style.panel;
    context.fillRect(0, 0, left, height);
    context.fillRect(right, 0, width - right, height);
    context.restore();
    context.fillStyle = this.#edgeColor;
    context.fillRect(left, 0, EDGE_WIDTH_PX, height);
    context.fillRect(right - EDGE_WIDTH_PX, 0, EDGE_WIDTH_PX, height);
  }
}
