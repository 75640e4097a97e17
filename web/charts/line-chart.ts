import { scaleLinear, scaleLog, type ScaleContinuousNumeric } from 'd3-scale';
import { line } from 'd3-shape';

import type { HistoryColumn } from '../state/history';
import type { Chart, ChartView } from './chart';
import type { ValueAxis } from './axes';
import { ChartFrame } from './chart-frame';
import { DecadeDomain, LinearDomain } from './domains';
import type { Plot } from './plot';
import { extentOf, VisibleRows } from './visible-rows';

const TICK_SPACING_PX = 32;
const TICK_SPACING_PX_MIN = 19;

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
  format: (value: number) => string;
  has_mark_labels: boolean;
}

/** Lines over run time. */
export class LineChart implements Chart {
  readonly #options: LineChartOptions;
  readonly #frame: ChartFrame;
  readonly #scale: (columns: readonly Float64Array[]) => ScaledAxis;
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
    this.restyle();
  }

  draw(view: ChartView): void {
    this.#view = view;
    this.#redraw();
  }

  restyle(): void {
    this.#frame.restyle();
    this.#colors = this.#options.series.map(({ color }) => this.#frame.color(color));
    this.#redraw();
  }

  destroy(): void {
    this.#frame.destroy();
  }

  #redraw(): void {
    if (this.#view === null) return;
    const { series, format } = this.#options;
    const rows = new VisibleRows(this.#view.history, this.#view.range);
    const columns = series.map(({ column }) => rows.column(column));
    const { scale, ticks } = this.#scale(columns);
    scale.range([this.#frame.height, 0]);
    const axis: ValueAxis = { position: scale, ticks: ticks(this.#frame.height), format };
    const times = rows.column('t_s');
    this.#frame.draw(this.#view, axis, (plot) => {
      for (const [i, values] of columns.entries()) this.#drawLine(plot, times, values, scale, i);
    });
  }

  #drawLine(
    { context, x }: Plot,
    times: Float64Array,
    values: Float64Array,
    y: ScaleContinuousNumeric<number, number>,
    index: number,
  ): void {
    const { width_px, dash_px } = this.#options.series[index]!;
    const path = line<number>()
      .defined((value) => !Number.isNaN(value))
      .x((_, i) => x(times[i]!))
      .y((value) => y(Math.max(value, this.#floor)))
      .context(context);
    context.beginPath();
    path(values);
    context.lineWidth = width_px;
    context.lineJoin = 'round';
    context.setLineDash(dash_px);
    context.strokeStyle = this.#colors[index]!;
    context.stroke();
  }
}

interface ScaledAxis {
  scale: ScaleContinuousNumeric<number, number>;
  /** As many ticks as look well on an axis of this height. */
  ticks: (height_px: number) => number[];
}

function linearAxis(top_min: number): (columns: readonly Float64Array[]) => ScaledAxis {
  const domain = new LinearDomain(top_min);
  return (columns) => {
    const [, largest] = extentOf(columns);
    const scale = scaleLinear().domain(domain.update(Math.max(0, largest)));
    return { scale, ticks: (height_px) => scale.ticks(Math.max(2, height_px / TICK_SPACING_PX)) };
  };
}

/** Values below `floor` cannot be told apart and are drawn at it. */
function logAxis({ empty, floor }: { empty: [number, number]; floor: number }) {
  const domain = new DecadeDomain(empty);
  return (columns: readonly Float64Array[]): ScaledAxis => {
    const [smallest, largest] = extentOf(columns);
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
