import { extent, max, median } from 'd3-array';
import { scaleLinear, scaleLog } from 'd3-scale';
import { line } from 'd3-shape';

import { timeLabel, timeUnit } from './axes';
import { addSvg, drawBottomAxis, drawLeftAxis, tickCount, type SvgChart } from './svg-plot';

const dashOfDesign = ['', '8 4'];

export interface RepeatPoint {
  tS: number;
  /** null: there is none, such as a latency without transactions. */
  value: number | null;
}

export interface RepeatsView {
  /** One line per repeat. */
  lines: readonly (readonly RepeatPoint[])[];
  /** Index of the design, which determines its color and dashes. */
  design: number;
  /** The same for both designs, so that heights are comparable. */
  domain: readonly [low: number, high: number];
  scale: 'linear' | 'log';
  durationS: number;
  /** Earlier values do not count. */
  fromS: number;
  isVirtual: boolean;
  title: string;
  format: (value: number) => string;
}

/**
 * Draws a design's repeats over run time in steps: a thin line for each, a thick one for their
 * median.
 */
export const repeatsChart: SvgChart<RepeatsView> = {
  margins: { top: 1.7, right: 0.9, bottom: 2.5, left: 3.6 },
  drawView: (plot, view) => {
    const x = scaleLinear().domain([0, view.durationS]).range([0, plot.width]).clamp(true);
    const y = (view.scale === 'log' ? scaleLog() : scaleLinear())
      .domain(view.domain)
      .range([plot.height, 0])
      .clamp(true);
    const { unit, perS } = timeUnit(view.durationS, view.isVirtual);
    drawLeftAxis(plot, {
      ticks: view.scale === 'log' ? decades(view.domain) : y.ticks(tickCount(plot.height, 32)),
      position: y,
      format: view.format,
      title: view.title,
    });
    drawBottomAxis(plot, {
      ticks: x.ticks(tickCount(plot.width, 70)),
      position: x,
      format: (tS) => timeLabel(tS, perS),
      title: view.isVirtual ? `virtual time, ${unit}` : `run time, ${unit}`,
    });
    // The part of the run that is not measured.
    const width = x(view.fromS);
    if (width > 0)
      addSvg(plot.group, 'rect', { class: 'not-counted', x: 0, y: 0, width, height: plot.height });
    const path = line<RepeatPoint>()
      // Values of the time before the measured part may lie above the axis.
      .defined(({ value }) => value !== null && value <= view.domain[1])
      .x(({ tS }) => x(tS))
      .y(({ value }) => y(value!));
    const drawLine = (points: readonly RepeatPoint[], attributes: object) => {
      const look = `design-line design-${view.design}`;
      addSvg(plot.group, 'path', {
        class: look,
        fill: 'none',
        d: path(stepsOf(points)) ?? '',
        ...attributes,
      });
    };
    for (const points of view.lines) drawLine(points, { 'stroke-width': 1, opacity: 0.45 });
    const dashes = dashOfDesign[view.design] ?? '';
    drawLine(medianLine(view.lines), { 'stroke-width': 3, 'stroke-dasharray': dashes });
  },
};

/**
 * Returns both ends of each point's time, which is the time before it. A gap lasts for all of its
 * time.
 */
export const stepsOf = (points: readonly RepeatPoint[]): RepeatPoint[] =>
  points.flatMap(({ tS, value }, i) => [
    { tS: points[i - 1]?.tS ?? 0, value },
    { tS, value },
  ]);

/** Returns the median of all lines per interval, up to the end of the shortest line. */
export function medianLine(lines: readonly (readonly RepeatPoint[])[]): RepeatPoint[] {
  const length = Math.min(...lines.map((points) => points.length));
  if (!Number.isFinite(length)) return [];
  return Array.from({ length }, (_, i) => ({
    tS: median(lines, (points) => points[i]!.tS)!,
    value: median(lines, (points) => points[i]!.value) ?? null,
  }));
}

/** Returns a domain from 0 to slightly above the largest value. */
export function linearDomain(values: Iterable<number>): [number, number] {
  return [0, 1.08 * (max(values) ?? 0) || 1];
}

/** Returns whole powers of ten around the values that a logarithmic axis can show. */
export function logDomain(values: Iterable<number>): [number, number] {
  const [low, high] = extent([...values].filter((value) => value > 0));
  if (low === undefined) return [1, 1000];
  const bottom = 10 ** Math.floor(Math.log10(low));
  return [bottom, Math.max(10 * bottom, 10 ** Math.ceil(Math.log10(high)))];
}

function decades([low, high]: readonly [number, number]): number[] {
  const count = Math.round(Math.log10(high / low));
  return Array.from({ length: count + 1 }, (_, i) => low * 10 ** i);
}
