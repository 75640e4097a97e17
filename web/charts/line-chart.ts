import { scaleLinear, scaleLog, type ScaleContinuousNumeric } from 'd3-scale';
import { line } from 'd3-shape';

import type { HistoryColumn, HistoryRows } from '../recording/history';
import type { ChartView, PlaceInChart, PointedAt, TimeChart, TimeRange } from './chart';
import type { ValueAxis } from './axes';
import { ChartFrame } from './chart-frame';
import { CrosshairLayer } from './crosshair-layer';
import { DecadeDomain, LinearDomain } from './domains';
import type { Plot } from './plot';
import { drawnRows, extentOf, lonelyRows, VisibleRows } from './visible-rows';

const TICK_SPACING_PX = 32;
const TICK_SPACING_PX_MIN = 19;
const GHOST_WIDTH_PX = 1.25;
const GHOST_OPACITY = 0.55;

export interface LineSeries {
  column: HistoryColumn;
  /** Custom property of the style sheet that holds the colour. */
  color: string;
  width_px: number;
  /** Lengths of dashes and gaps; empty for a solid line. A second channel beside the colour. */
  dash_px: number[];
}

export interface LineChartOptions {
  series: LineSeries[];
  y: { kind: 'linear'; top_min: number } | { kind: 'log'; empty: [number, number]; floor: number };
  /** Of the axis's ticks. */
  format: (value: number) => string;
  has_mark_labels: boolean;
  /** How values at a moment are named and written, for each series; without it nothing can be pointed at. */
  readings?: readonly { name: string; format: (value: number) => string }[];
}

/** Lines over run time. */
export class LineChart implements TimeChart {
  readonly #options: LineChartOptions;
  readonly #frame: ChartFrame;
  readonly #crosshair: CrosshairLayer;
  readonly #scale: (columns: readonly Float64Array[], is_still: boolean) => ScaledAxis;
  readonly #floor: number;
  #view: ChartView | null = null;
  #colors: string[] = [];

  constructor(host: HTMLElement, options: LineChartOptions) {
    this.#options = options;
    this.#scale = options.y.kind === 'linear' ? linearAxis(options.y.top_min) : logAxis(options.y);
    this.#floor = options.y.kind === 'log' ? options.y.floor : Number.NEGATIVE_INFINITY;
    this.#frame = new ChartFrame(host, {
      has_mark_labels: options.has_mark_labels,
      onResize: () => {
        this.#redraw();
      },
    });
    this.#crosshair = new CrosshairLayer(host, this.#frame, readingsOf(options));
    this.restyle();
  }

  draw(view: ChartView): void {
    this.#view = view;
    this.#redraw();
  }

  point(pointed_at: PointedAt): void {
    this.#crosshair.point(pointed_at);
  }

  placeAt(left_px: number, top_px: number): PlaceInChart {
    return this.#frame.placeAt(left_px, top_px);
  }

  restyle(): void {
    this.#frame.restyle();
    this.#crosshair.restyle();
    this.#colors = this.#options.series.map(({ color }) => this.#frame.color(color));
    this.#redraw();
  }

  destroy(): void {
    this.#frame.destroy();
  }

  #redraw(): void {
    if (this.#view === null) return;
    const { format } = this.#options;
    const { history, ghost = null, range, is_still = false } = this.#view;
    const shown = ghost === null ? [history] : [history, ghost];
    const columns = shown.flatMap((of) => this.#columnsWithin(of, range));
    const { scale, ticks } = this.#scale(columns, is_still);
    scale.range([this.#frame.height, 0]);
    const axis: ValueAxis = { position: scale, ticks: ticks(this.#frame.height), format };
    this.#frame.draw(this.#view, axis, (plot) => {
      if (ghost !== null) this.#drawGhost(plot, ghost, range, scale);
      this.#drawLines(plot, history, range, scale);
    });
    this.#crosshair.follow(this.#view, (value) => scale(Math.max(value, this.#floor)));
  }

  #columnsWithin(history: HistoryRows, range: TimeRange): Float64Array[] {
    const rows = new VisibleRows(history, range);
    return this.#options.series.map(({ column }) => rows.within(column));
  }

  #drawGhost(plot: Plot, ghost: HistoryRows, range: TimeRange, y: YScale): void {
    plot.context.save();
    plot.context.globalAlpha = GHOST_OPACITY;
    this.#drawLines(plot, ghost, range, y, GHOST_WIDTH_PX);
    plot.context.restore();
  }

  #drawLines(plot: Plot, history: HistoryRows, range: TimeRange, y: YScale, width_px?: number): void {
    const rows = new VisibleRows(history, range);
    const times = rows.column('t_s');
    for (const [i, { column, ...series }] of this.#options.series.entries()) {
      plot.context.strokeStyle = this.#colors[i]!;
      plot.context.fillStyle = this.#colors[i]!;
      const points = { times, values: rows.column(column) };
      this.#drawLine(plot, points, y, { ...series, width_px: width_px ?? series.width_px });
    }
  }

  #drawLine(
    { context, x, width }: Plot,
    { times, values }: Points,
    y: YScale,
    { width_px, dash_px }: Pick<LineSeries, 'width_px' | 'dash_px'>,
  ): void {
    const leftOf = (row: number) => x(times[row]!);
    const topOf = (row: number) => y(Math.max(values[row]!, this.#floor));
    const path = line<number>()
      .defined((row) => !Number.isNaN(values[row]!))
      .x(leftOf)
      .y(topOf)
      .context(context);
    context.beginPath();
    path(drawnRows(values, leftOf, width));
    context.lineWidth = width_px;
    context.lineJoin = 'round';
    context.setLineDash(dash_px);
    context.stroke();
    for (const row of lonelyRows(values)) {
      context.beginPath();
      context.arc(leftOf(row), topOf(row), width_px, 0, 2 * Math.PI);
      context.fill();
    }
  }
}

type YScale = ScaleContinuousNumeric<number, number>;

interface Points {
  times: Float64Array;
  values: Float64Array;
}

function readingsOf({ series, readings = [] }: LineChartOptions) {
  return readings.map((reading, i) => ({ ...reading, column: series[i]!.column, color: series[i]!.color }));
}

interface ScaledAxis {
  scale: ScaleContinuousNumeric<number, number>;
  /** As many ticks as look well on an axis of this height. */
  ticks: (height_px: number) => number[];
}

function linearAxis(top_min: number) {
  const moving = new LinearDomain(top_min);
  return (columns: readonly Float64Array[], is_still: boolean): ScaledAxis => {
    const [, largest] = extentOf(columns);
    const domain = is_still && largest > 0 ? new LinearDomain(0) : moving;
    const scale = scaleLinear().domain(domain.update(Math.max(0, largest)));
    return { scale, ticks: (height_px) => scale.ticks(Math.max(2, height_px / TICK_SPACING_PX)) };
  };
}

/** Values below `floor` cannot be told apart and are drawn at it. */
function logAxis({ empty, floor }: { empty: [number, number]; floor: number }) {
  const moving = new DecadeDomain(empty);
  return (columns: readonly Float64Array[], is_still: boolean): ScaledAxis => {
    const [smallest, largest] = extentOf(columns);
    const domain = is_still ? new DecadeDomain(empty) : moving;
    const [low, high] = domain.update(Math.max(smallest, floor), Math.max(largest, floor));
    const scale = scaleLog().domain([low, high]).clamp(true);
    return { scale, ticks: (height_px) => decadeTicks(low, high, height_px) };
  };
}

/** Whole powers of ten; on a low axis only every other one, or fewer. */
function decadeTicks(low: number, high: number, height_px: number): number[] {
  const decades = Math.round(Math.log10(high / low));
  const step = Math.max(1, Math.ceil((decades * TICK_SPACING_PX_MIN) / Math.max(1, height_px)));
  return Array.from({ length: Math.floor(decades / step) + 1 }, (_, i) => low * 10 ** (i * step));
}
