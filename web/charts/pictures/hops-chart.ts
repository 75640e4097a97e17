import { range } from 'd3-array';
import { scaleLinear } from 'd3-scale';

import type { Hop } from '../../analysis/pictures/line-hops';
import { addLine, addSvg, addText, type Plot } from '../svg-plot';
import { drawTitle, pictureChart, splitAt, type BarRowsView } from './bar-rows';

const VERSIONS_SHOWN = 5;

export interface HopsView {
  title: string;
  /** Cores that share a cache, in order. */
  groups: readonly { name: string; first: number; size: number }[];
  hops: readonly Hop[];
  spanText: string;
  /** Text to show while no hop is known. */
  nothing: string;
  chain: { versions: number; text: string };
  bars: BarRowsView;
}

/** Draws a row's chain of versions, the cache line's core over time, and the cost of each latch. */
export const hopsChart = pictureChart((plot, view: HopsView) => {
  const [top, bottom] = splitAt(plot, 4 * plot.remPx);
  drawChain(top, view.chain);
  drawHops(bottom, view);
});

/** Draws the row, and each older version that a reader visits. */
function drawChain(plot: Plot, { versions, text }: HopsView['chain']): void {
  const { group, remPx } = plot;
  drawTitle(plot, text);
  const [boxW, boxH, step] = [3.1 * remPx, 1.5 * remPx, 3.9 * remPx];
  const y = 1.4 * remPx;
  for (const i of range(1 + Math.min(VERSIONS_SHOWN, Math.round(versions)))) {
    const look = i === 0 ? 'picture-row' : 'picture-version';
    addSvg(group, 'rect', { class: look, x: i * step, y, width: boxW, height: boxH, rx: 3 });
    const name = i === 0 ? 'row' : 'undo';
    addText(group, 'picture-middle', [i * step + boxW / 2, y + 1.05 * remPx], name);
    const middle = y + boxH / 2;
    if (i > 0) addLine(group, 'picture-link', [(i - 1) * step + boxW, middle], [i * step, middle]);
  }
}

/**
 * Draws time to the right and cores above each other: a step per hop, thicker where it leaves the
 * group.
 */
function drawHops(plot: Plot, { title, groups, hops, spanText, nothing }: HopsView): void {
  const { group, width, height, remPx } = plot;
  drawTitle(plot, title);
  if (hops.length === 0) {
    addText(group, 'picture-label', [0, 2.4 * remPx], nothing);
    return;
  }
  const [top, bottom, left] = [1.5 * remPx, height - 1.3 * remPx, 5.2 * remPx];
  const cores = groups.reduce((sum, { size }) => sum + size, 0);
  const gap = 0.4 * remPx;
  const corePx = (bottom - top - gap * (groups.length - 1)) / cores;
  const groupOf = (core: number) => groups.findLastIndex(({ first }) => core >= first);
  const y = (core: number) => top + (core + 0.5) * corePx + gap * groupOf(core);
  for (const { name, first, size } of groups) {
    const bandY = y(first) - corePx / 2;
    const band = { x: left, y: bandY, width: width - left, height: size * corePx, rx: 3 };
    addSvg(group, 'rect', { class: 'picture-group', ...band });
    addText(group, 'picture-small', [0, bandY + (size * corePx) / 2 + 0.3 * remPx], name);
  }
  const [first, last] = [hops[0]!, hops.at(-1)!];
  const x = scaleLinear()
    .domain([first.atNs, Math.max(last.atNs, first.atNs + 1)])
    .range([left + 0.4 * remPx, width - 0.5 * remPx]);
  for (const [i, hop] of hops.entries()) {
    const at = x(hop.atNs);
    const until = x(hops[i + 1]?.atNs ?? hop.atNs);
    const look = groupOf(hop.from) === groupOf(hop.to) ? 'picture-hop' : 'picture-hop picture-hop-far';
    addLine(group, look, [at, y(hop.from)], [at, y(hop.to)]);
    addLine(group, 'picture-stay', [at, y(hop.to)], [until, y(hop.to)]);
  }
  addSvg(group, 'circle', { class: 'picture-line-now', cx: x(last.atNs), cy: y(last.to), r: 0.3 * remPx });
  addText(group, 'picture-small picture-end', [width, height - 0.2 * remPx], spanText);
}
