import { extent } from 'd3-array';
import { scaleLinear, scaleLog } from 'd3-scale';

import { addSvg, drawBottomAxis, SvgChart, tickCount, type Plot } from './svg-plot';

const margins = { top: 0.5, right: 0.9, bottom: 2.5, left: 6.8 };
const DOT_REM = 0.32;
const SPAN_OF_EVEN_TICKS = 5;

export interface RatioView {
  pairs: readonly { label: string; ratio: number }[];
  mean: { ratio: number; interval: readonly [number, number] | null } | null;
  /** Ratios that count as no difference; null: none do. */
  equal: readonly [number, number] | null;
  title: string;
  format: (ratio: number) => string;
}

/**
 * Draws ratios of pairs on a logarithmic axis, one per row, and below them their mean with its
 * interval.
 */
export class RatioChart extends SvgChart<RatioView> {
  constructor(host: HTMLElement) {
    super(host, margins);
  }

  protected override drawView(plot: Plot, view: RatioView): void {
    const x = scaleLog().domain(ratioDomain(view)).range([0, plot.width]).clamp(true);
    const rows = view.pairs.length + 1;
    const rowTop = (row: number) => ((row + 0.5) * plot.height) / rows;
    if (view.equal !== null) drawMargin(plot, view.equal.map(x) as [number, number]);
    drawBottomAxis(plot, {
      ticks: roundRatios(x.domain() as [number, number], tickCount(plot.width, 85)),
      position: x,
      format: view.format,
      title: view.title,
    });
    addSvg(plot.group, 'line', { class: 'ratio-one', x1: x(1), x2: x(1), y1: 0, y2: plot.height });
    const dotPx = DOT_REM * plot.remPx;
    for (const [row, { label, ratio }] of view.pairs.entries()) {
      addSvg(plot.group, 'text', { class: 'tick tick-left', x: -0.6 * plot.remPx, y: rowTop(row) }, label);
      addSvg(plot.group, 'circle', { class: 'ratio-pair', cx: x(ratio), cy: rowTop(row), r: dotPx });
    }
    if (view.mean !== null) drawMean(plot, view.mean, { x, y: rowTop(rows - 1), dotPx });
  }
}

function drawMargin({ group, height }: Plot, [left, right]: [number, number]): void {
  addSvg(group, 'rect', { class: 'equal-ratios', x: left, width: right - left, y: 0, height });
}

function drawMean(
  { group, remPx }: Plot,
  { ratio, interval }: NonNullable<RatioView['mean']>,
  { x, y, dotPx }: { x: (ratio: number) => number; y: number; dotPx: number },
): void {
  addSvg(group, 'text', { class: 'tick tick-left tick-strong', x: -0.6 * remPx, y }, 'mean, 95 %');
  if (interval !== null) {
    const [left, right] = interval.map(x) as [number, number];
    addSvg(group, 'line', { class: 'ratio-interval', x1: left, x2: right, y1: y, y2: y });
    for (const end of [left, right]) {
      addSvg(group, 'line', { class: 'ratio-interval', x1: end, x2: end, y1: y - dotPx, y2: y + dotPx });
    }
  }
  const size = 1.25 * dotPx;
  const center = x(ratio);
  const corners = `${center},${y - size} ${center + size},${y} ${center},${y + size} ${center - size},${y}`;
  addSvg(group, 'polygon', { class: 'ratio-mean', points: corners });
}

/** Returns a range around all values and 1, with a margin. */
export function ratioDomain({
  pairs,
  mean,
  equal,
}: Pick<RatioView, 'pairs' | 'mean' | 'equal'>): [number, number] {
  const values = [1, ...pairs.map(({ ratio }) => ratio), ...(mean?.interval ?? []), ...(equal ?? [])];
  const [low, high] = extent(values.filter((value) => value > 0 && Number.isFinite(value))) as [
    number,
    number,
  ];
  const room = Math.max(1.04, (high / low) ** 0.08);
  return [low / room, high * room];
}

/** Returns round numbers: evenly spaced on a short axis, otherwise 1, 2 and 5 of each decade. */
export function roundRatios([low, high]: readonly [number, number], count: number): number[] {
  if (high / low < SPAN_OF_EVEN_TICKS) return scaleLinear().domain([low, high]).ticks(count);
  const decades = Array.from({ length: 13 }, (_, i) => 10 ** (i - 6));
  const ratios = decades.flatMap((decade) => [decade, 2 * decade, 5 * decade]);
  const within = ratios.filter((ratio) => ratio >= low && ratio <= high);
  return within.length <= count ? within : within.filter((ratio) => Number.isInteger(Math.log10(ratio)));
}
