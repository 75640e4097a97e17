import { scaleLinear, scaleLog } from 'd3-scale';

import type { HistoryRows } from '../recording/history';
import { noAxis } from './axes';
import { CanvasChart, type NsRange } from './canvas-chart';
import { drawVeil, strokeSteps } from './canvas-shapes';
import type { ChartMark, Plot } from './chart';
import type { RateScale } from './domains';
import { drawQueue, type TrackPicture } from './latch-track';
import { extentOf, VisibleRows } from './visible-rows';

const LINE_WIDTH_PX = 1.25;
const VEIL_OPACITY = 0.68;
const EDGE_PX = 3;
const WINDOW_MIN_PX = 6;

export interface TimeStripView {
  whole: NsRange;
  /** The range that other charts show. */
  shown: NsRange;
  /** Throughput, or the queue of a latch. */
  data: { history: HistoryRows; rateScale: RateScale } | Pick<TrackPicture, 'queue' | 'nowNs'>;
  marks?: readonly ChartMark[];
}

/** Draws a small chart of all known time. A veil covers the time that other charts do not show. */
export class TimeStripChart extends CanvasChart<TimeStripView> {
  protected override drawView({ whole, shown, data, marks }: TimeStripView): void {
    const drawData = (plot: Plot) => {
      if ('queue' in data) {
        plot.context.fillStyle = this.color('--queue');
        const columns = Math.max(1, Math.round(plot.width));
        drawQueue(plot, { ...data, range: whole, columns }, 0, plot.height);
      } else this.#drawRates(plot, data.history, data.rateScale);
      this.#drawWindow(plot, shown);
    };
    this.drawTimes(whole, noAxis, drawData, marks);
  }

  #drawRates(plot: Plot, history: HistoryRows, rateScale: RateScale): void {
    const { context, x, height } = plot;
    const [fromS = 0, toS = 0] = x.domain();
    const rows = new VisibleRows(history, { fromS, toS });
    const rates = rows.column('transactions_per_s');
    const [smallest, largest] = extentOf([rates], 0);
    if (!Number.isFinite(largest)) return;
    const low = rateScale === 'log' ? smallest / 2 : 0;
    const y = (rateScale === 'log' ? scaleLog() : scaleLinear())
      .domain([low, largest])
      .range([height - 1, 2]);
    context.strokeStyle = this.color('--series-transactions');
    context.lineWidth = LINE_WIDTH_PX;
    context.setLineDash([]);
    strokeSteps(plot, rows.column('t_s'), rates, (rate) => y(Math.max(rate, low)));
  }

  #drawWindow(plot: Plot, { fromNs, toNs }: NsRange): void {
    const { context, x, height, width } = plot;
    const left = Math.max(0, x(fromNs / 1e9));
    const right = Math.min(width, Math.max(left + WINDOW_MIN_PX, x(toNs / 1e9)));
    drawVeil(plot, left, right, VEIL_OPACITY);
    context.fillStyle = this.color('--accent');
    context.fillRect(left, 0, EDGE_PX, height);
    context.fillRect(right - EDGE_PX, 0, EDGE_PX, height);
  }
}
