import { extent } from 'd3-array';
import { scaleLinear, scaleLog } from 'd3-scale';

import { addLine, addSvg, addText, drawBottomAxis, tickCount, type Plot, type SvgChart } from './svg-plot';

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
export const ratioChart: SvgChart<RatioView> = {
  margins: { top: 0.5, right: 0.9, bottom: 2.5, left: 6.8 },
  drawView: (plot, { pairs, mean, equal, ...axis }) => {
    const { group, height, remPx } = plot;
    const ratios = [...pairs.map(({ ratio }) => ratio), ...(mean?.interval ?? []), ...(equal ?? [])];
    const rows = pairs.length + 1;
    const rowTop = (row: number) => ((row + 0.5) * height) / rows;
    const x = ratioScale(plot, ratios);
    if (equal !== null) {
      const [left, right] = equal.map(x) as [number, number];
      addSvg(group, 'rect', { class: 'equal-ratios', x: left, width: right - left, y: 0, height });
    }
    drawRatioAxis(plot, x, axis);
    const dotPx = DOT_REM * remPx;
    for (const [row, { label, ratio }] of pairs.entries()) {
      addText(group, 'tick tick-left', [-0.6 * remPx, rowTop(row)], label);
      addSvg(group, 'circle', { class: 'ratio-pair', cx: x(ratio), cy: rowTop(row), r: dotPx });
    }
    if (mean !== null) drawMean(plot, mean, { x, y: rowTop(rows - 1), dotPx });
  },
};

function drawMean(
  { group, remPx }: Plot,
  { ratio, interval }: NonNullable<RatioView['mean']>,
  { x, y, dotPx }: { x: (ratio: number) => number; y: number; dotPx: number },
): void {
  addText(group, 'tick tick-left tick-strong', [-0.6 * remPx, y], 'mean, 95 %');
  if (interval !== null) {
    const [left, right] = interval.map(x) as [number, number];
    addLine(group, 'ratio-interval', [left, y], [right, y]);
    for (const end of [left, right]) addLine(group, 'ratio-interval', [end, y - dotPx], [end, y + dotPx]);
  }
  const size = 1.25 * dotPx;
  const center = x(ratio);
  const corners = `${center},${y - size} ${center + size},${y} ${center},${y + size} ${center - size},${y}`;
  addSvg(group, 'polygon', { class: 'ratio-mean', points: corners });
}

/** Returns a logarithmic scale of all ratios and 1. */
export const ratioScale = ({ width }: Plot, ratios: readonly number[]) =>
  scaleLog().domain(ratioDomain(ratios)).range([0, width]).clamp(true);

/** Draws the axis, and a line at the ratio without any difference. */
export function drawRatioAxis(
  plot: Plot,
  x: ReturnType<typeof ratioScale>,
  { format, title }: Pick<RatioView, 'format' | 'title'>,
): void {
  const ticks = roundRatios(x.domain() as [number, number], tickCount(plot.width, 85));
  drawBottomAxis(plot, { ticks, position: x, format, title });
  addLine(plot.group, 'ratio-one', [x(1), 0], [x(1), plot.height]);
}

/** Returns a range around all ratios and 1, with a margin. */
export function ratioDomain(ratios: readonly number[]): [number, number] {
  const seen = [1, ...ratios].filter((ratio) => ratio > 0 && Number.isFinite(ratio));
  const [low, high] = extent(seen) as [number, number];
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
