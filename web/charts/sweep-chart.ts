// Draws a figure against thread counts or percents as SVG.
import { max } from 'd3-array';
import { scaleLinear, scaleLog } from 'd3-scale';
import {
  line,
  symbol,
  symbolCircle,
  symbolCross,
  symbolDiamond,
  symbolSquare,
  symbolTriangle,
  type SymbolType,
} from 'd3-shape';

import {
  addLine,
  addSvg,
  drawBottomAxis,
  drawLeftAxis,
  tickCount,
  type Plot,
  type SvgChart,
} from './svg-plot';

const SYMBOL_AREA_REM = 0.5;
const CURVE_STEPS = 120;
/** Marks and dashes distinguish designs, in addition to colors. */
const designSymbols: readonly SymbolType[] = [
  symbolCircle,
  symbolSquare,
  symbolTriangle,
  symbolDiamond,
  symbolCross,
];
export const designDashes = ['', '8 4', '2 3', '9 3 2 3', '1 3'];
/** Its index follows those of the designs, of which there are at most four. */
export const REAL_SERVER = 4;

/** Returns the mark of a design, around its center. */
export const designMark = (design: number, areaPx: number) =>
  symbol(designSymbols[design % designSymbols.length], areaPx)() ?? '';

/** Draws the mark of a design around a point. */
export function drawDesignMark(
  parent: SVGElement,
  design: number,
  [x, y]: readonly [x: number, y: number],
  areaPx: number,
): void {
  addSvg(parent, 'path', {
    class: `design-mark design-${design}`,
    transform: `translate(${x} ${y})`,
    d: designMark(design, areaPx),
  });
}

interface SweepSeries {
  /** Index of the design, which determines its color, mark and dashes. */
  design: number;
  points: readonly { at: number; mean: number; low: number; high: number }[];
  /** The fitted law; without it, straight lines join the points. */
  law?: { throughputOf: (threads: number) => number; peakThreads: number | null };
}

export type ThreadsAxis = 'linear' | 'logarithmic';

export interface SweepView {
  series: readonly SweepSeries[];
  /** Positions of the runs on the lower axis: thread counts, or percents. */
  places: readonly number[];
  threadsAxis: ThreadsAxis;
  title: string;
  xTitle: string;
  format: (value: number) => string;
}

/**
 * Draws a figure against thread counts or percents: means with the spread of the repeats, and the
 * fitted curves.
 */
export const sweepChart: SvgChart<SweepView> = {
  margins: { top: 1.7, right: 1.4, bottom: 2.6, left: 3.9 },
  drawView: (plot, view) => {
    const [fewest = 1, most = 1] = [view.places[0], view.places.at(-1)];
    const x = threadsScale(view, plot.width);
    const top = 1.08 * (max(view.series, highestOf) ?? 0) || 1;
    const y = scaleLinear().domain([0, top]).range([plot.height, 0]).clamp(true);
    drawLeftAxis(plot, {
      ticks: y.ticks(tickCount(plot.height, 40)),
      position: y,
      format: view.format,
      title: view.title,
    });
    drawBottomAxis(plot, {
      ticks: ticksApart(view.places, x, 2.2 * plot.remPx),
      position: x,
      format: String,
      title: view.threadsAxis === 'linear' ? view.xTitle : `${view.xTitle}, logarithmic`,
    });
    const curveThreads = Array.from({ length: CURVE_STEPS + 1 }, (_, i) =>
      x.invert(x(fewest) + ((x(most) - x(fewest)) * i) / CURVE_STEPS),
    );
    for (const series of view.series) drawSeries(plot, series, { x, y, fewest, most, curveThreads });
  },
};

/**
 * Returns a scale that starts at zero, or at the smallest count if each doubling takes the same
 * width.
 */
export function threadsScale(
  { places, threadsAxis }: Pick<SweepView, 'places' | 'threadsAxis'>,
  width: number,
) {
  const [fewest = 1, most = 1] = [places[0], places.at(-1)];
  const last = Math.max(most, fewest * 2);
  return threadsAxis === 'linear'
    ? scaleLinear().domain([0, last]).range([0, width])
    : scaleLog().base(2).domain([fewest, last]).range([0, width]);
}

function highestOf({ points }: SweepSeries): number | undefined {
  return max(points, ({ high }) => high);
}

interface Scales {
  x: (threads: number) => number;
  y: (throughput: number) => number;
  fewest: number;
  most: number;
  /** Thread counts at which a fitted curve is computed, evenly spaced on the axis. */
  curveThreads: readonly number[];
}

function drawSeries(plot: Plot, series: SweepSeries, scales: Scales): void {
  const { group, remPx, height } = plot;
  const { x, y, fewest, most, curveThreads } = scales;
  const look = `design-${series.design}`;
  const lineOf = line()
    .x(([threads]) => x(threads))
    .y(([, throughput]) => y(throughput));
  const drawPath = (points: [number, number][], width: number) => {
    addSvg(group, 'path', {
      class: `design-line ${look}`,
      fill: 'none',
      'stroke-width': width,
      'stroke-dasharray': designDashes[series.design] ?? '',
      d: lineOf(points) ?? '',
    });
  };
  const { law, points } = series;
  if (law === undefined)
    drawPath(
      points.map(({ at, mean }) => [at, mean]),
      2,
    );
  else
    drawPath(
      curveThreads.map((threads) => [threads, law.throughputOf(threads)]),
      2.5,
    );
  const peakThreads = law?.peakThreads ?? null;
  if (peakThreads !== null && peakThreads >= fewest && peakThreads <= most) {
    const left = x(peakThreads);
    addLine(group, `peak-line ${look}`, [left, height], [left, height - 0.8 * remPx]);
  }
  for (const { at, mean, low, high } of points) {
    const left = x(at);
    if (high > low)
      addLine(group, `design-line ${look}`, [left, y(low)], [left, y(high)], { 'stroke-width': 1.5 });
    drawDesignMark(group, series.design, [left, y(mean)], SYMBOL_AREA_REM * remPx ** 2);
  }
}

/** Selects the values whose labels fit. */
export function ticksApart(
  values: readonly number[],
  position: (value: number) => number,
  spacingPx: number,
): number[] {
  const kept: number[] = [];
  // Starts from the right, because readers look for the largest value.
  for (const value of [...values].reverse()) {
    const nearest = kept.at(-1);
    if (nearest === undefined || position(nearest) - position(value) >= spacingPx) kept.push(value);
  }
  return kept.reverse();
}
