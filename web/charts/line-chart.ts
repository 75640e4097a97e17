// Draws lines over run time on a canvas.
import { scaleLinear, scaleLog, type ScaleContinuousNumeric } from 'd3-scale';
import { area, curveStepBefore } from 'd3-shape';

import type { HistoryColumn, HistoryRows } from '../recording/history';
import { strokeSteps } from './canvas-shapes';
import type { ChartView, Plot, TimeRange } from './chart';
import { DecadeDomain, LinearDomain, type RateScale } from './domains';
import { TimeChart } from './time-chart';
import { drawnRows, extentOf, highestRows, lonelyRows, VisibleRows } from './visible-rows';

const TICK_SPACING_PX = 32;
const TICK_SPACING_PX_MIN = 19;
/** More ticks are not easier to read, however high the chart is. */
const TICKS_MAX = 10;
const PREVIOUS_WIDTH_PX = 1.25;
const PREVIOUS_OPACITY = 0.55;
const BAND_OPACITY = 0.3;
const DOT_SPACING_PX = 4;

export interface LineSeries {
  column: HistoryColumn;
  /** Custom property of the style sheet with the color. */
  color: string;
  /** Steps, because a row describes the time before it; `not`: only the readout has it. */
  drawn: 'steps' | 'dots' | 'not';
  widthPx: number;
  /**
   * Lengths of dashes and gaps; empty for a solid line. A second channel in addition to the color.
   */
  dashPx: number[];
}

/** The area between two columns. */
export interface LineBand {
  from: HistoryColumn;
  to: HistoryColumn;
  color: string;
}

export interface LineChartOptions {
  series: LineSeries[];
  band?: LineBand;
  /** The view determines the scale of rates. */
  y: { kind: 'rate'; topMin: number } | { kind: 'log'; empty: [number, number]; floor: number };
  /** Format of the ticks. */
  format: (value: number) => string;
  hasMarkLabels: boolean;
  /** Name and format of each series in the readout. Without them, the chart has no readout. */
  readings?: readonly { name: string; format: (value: number) => string }[];
}

/** Draws lines over run time. */
export class LineChart extends TimeChart {
  readonly #options: LineChartOptions;
  readonly #scales: Record<RateScale, ScaleOf>;
  #floor: number;

  constructor(host: HTMLElement, options: LineChartOptions) {
    super(host, readingsOf(options), options.hasMarkLabels);
    this.#options = options;
    const log = options.y.kind === 'log' ? logAxis(options.y) : logAxis(logRateAxis);
    this.#scales = { linear: options.y.kind === 'log' ? log : linearAxis(options.y.topMin), log };
    this.#floor = options.y.kind === 'log' ? options.y.floor : Number.NEGATIVE_INFINITY;
  }

  protected override drawView(view: ChartView): void {
    const { format, y } = this.#options;
    const { history, previous = null, range, isStill = false, rateScale = 'linear' } = view;
    if (y.kind === 'rate') this.#floor = rateScale === 'log' ? logRateAxis.floor : Number.NEGATIVE_INFINITY;
    const shown = previous === null ? [history] : [history, previous];
    const columns = shown.flatMap((of) => this.#columnsWithin(of, range));
    const { scale, ticks } = this.#scales[rateScale](columns, isStill);
    const { height } = this.plot;
    scale.range([height, 0]);
    this.topOf = (value) => scale(Math.max(value, this.#floor));
    this.drawFrame(view, { position: scale, ticks: ticks(height), format }, (plot) => {
      if (previous !== null) {
        plot.context.save();
        plot.context.globalAlpha = PREVIOUS_OPACITY;
        this.#drawLines(plot, previous, range, scale, PREVIOUS_WIDTH_PX);
        plot.context.restore();
      }
      this.#drawBand(plot, history, range, scale);
      this.#drawLines(plot, history, range, scale);
    });
  }

  #columnsWithin(history: HistoryRows, range: TimeRange): Float64Array[] {
    const rows = new VisibleRows(history, range);
    return this.#options.series.map(({ column }) => rows.within(column));
  }

  #drawBand({ context, x, width }: Plot, history: HistoryRows, range: TimeRange, y: YScale): void {
    const { band } = this.#options;
    if (band === undefined) return;
    const rows = new VisibleRows(history, range);
    const [times, low, high] = [rows.column('t_s'), rows.column(band.from), rows.column(band.to)];
    const leftOf = (row: number) => x(times[row]!);
    const path = area<number>()
      .defined((row) => !Number.isNaN(low[row]!) && !Number.isNaN(high[row]!))
      .x(leftOf)
      .y0((row) => y(Math.max(low[row]!, this.#floor)))
      .y1((row) => y(Math.max(high[row]!, this.#floor)))
      .curve(curveStepBefore)
      .context(context);
    context.save();
    context.globalAlpha = BAND_OPACITY;
    context.fillStyle = this.color(band.color);
    context.beginPath();
    path(drawnRows(high, leftOf, width));
    context.fill();
    context.restore();
  }

  #drawLines(plot: Plot, history: HistoryRows, range: TimeRange, y: YScale, widthPx?: number): void {
    const rows = new VisibleRows(history, range);
    const times = rows.column('t_s');
    for (const { column, color, ...series } of this.#options.series) {
      plot.context.strokeStyle = plot.context.fillStyle = this.color(color);
      const points = { times, values: rows.column(column) };
      this.#drawLine(plot, points, y, { ...series, widthPx: widthPx ?? series.widthPx });
    }
  }

  #drawLine(plot: Plot, { times, values }: Points, y: YScale, { drawn, widthPx, dashPx }: LineLook): void {
    if (drawn === 'not') return;
    const { context, x } = plot;
    const leftOf = (row: number) => x(times[row]!);
    const topOf = (value: number) => y(Math.max(value, this.#floor));
    const drawDots = (rows: readonly number[]) => {
      for (const row of rows) {
        context.beginPath();
        context.arc(leftOf(row), topOf(values[row]!), widthPx, 0, 2 * Math.PI);
        context.fill();
      }
    };
    if (drawn === 'dots') {
      drawDots(highestRows(values, leftOf, DOT_SPACING_PX));
      return;
    }
    context.lineWidth = widthPx;
    context.lineJoin = 'round';
    context.setLineDash(dashPx);
    strokeSteps(plot, times, values, topOf);
    drawDots(lonelyRows(values));
  }
}

type LineLook = Pick<LineSeries, 'drawn' | 'widthPx' | 'dashPx'>;
type YScale = ScaleContinuousNumeric<number, number>;

interface Points {
  times: Float64Array;
  values: Float64Array;
}

function readingsOf({ series, readings = [] }: LineChartOptions) {
  return readings.map((reading, i) => ({ ...reading, column: series[i]!.column, color: series[i]!.color }));
}

type ScaleOf = (columns: readonly Float64Array[], isStill: boolean) => ScaledAxis;

/** A logarithmic axis has no 0: rates below one per second are drawn as one. */
export const logRateAxis: { empty: [number, number]; floor: number } = { empty: [1, 1000], floor: 1 };

interface ScaledAxis {
  scale: ScaleContinuousNumeric<number, number>;
  /** Returns the ticks for an axis of this height. */
  ticks: (heightPx: number) => number[];
}

function linearAxis(topMin: number) {
  const moving = new LinearDomain(topMin);
  return (columns: readonly Float64Array[], isStill: boolean): ScaledAxis => {
    const [, largest] = extentOf(columns);
    const domain = isStill && largest > 0 ? new LinearDomain(0) : moving;
    const scale = scaleLinear().domain(domain.update(Math.max(0, largest)));
    return {
      scale,
      ticks: (heightPx) => scale.ticks(Math.min(TICKS_MAX, Math.max(2, heightPx / TICK_SPACING_PX))),
    };
  };
}

/** Returns a logarithmic axis. Values below `floor` are drawn at `floor`. */
function logAxis({ empty, floor }: { empty: [number, number]; floor: number }) {
  const moving = new DecadeDomain(empty);
  return (columns: readonly Float64Array[], isStill: boolean): ScaledAxis => {
    const [smallest, largest] = extentOf(columns, 0);
    const domain = isStill ? new DecadeDomain(empty) : moving;
    const [low, high] = domain.update(Math.max(smallest, floor), Math.max(largest, floor));
    const scale = scaleLog().domain([low, high]).clamp(true);
    return { scale, ticks: (heightPx) => decadeTicks(low, high, heightPx) };
  };
}

/** Minimum height of a decade with a tick in its middle. */
const ROOMY_DECADE_PX = 48;

/**
 * Returns whole powers of ten, and three times each. On a low axis, only every other power, or
 * fewer.
 */
function decadeTicks(low: number, high: number, heightPx: number): number[] {
  const decades = Math.round(Math.log10(high / low));
  if (heightPx / decades >= ROOMY_DECADE_PX)
    return Array.from(
      { length: 2 * decades + 1 },
      (_, i) => low * 10 ** Math.floor(i / 2) * (i % 2 === 0 ? 1 : 3),
    );
  const step = Math.max(1, Math.ceil((decades * TICK_SPACING_PX_MIN) / Math.max(1, heightPx)));
  return Array.from({ length: Math.floor(decades / step) + 1 }, (_, i) => low * 10 ** (i * step));
}
