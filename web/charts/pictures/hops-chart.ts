import { range } from 'd3-array';
import { scaleLinear } from 'd3-scale';

import type { Hop } from '../../analysis/pictures/line-hops';
import { addSvg, SvgChart, type Plot } from '../svg-plot';
import { drawBarRows, halvesOf, partOf, type BarRowsView } from './bar-rows';

const margins = { top: 0.2, right: 0.2, bottom: 0.2, left: 0.2 };
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
export class HopsChart extends SvgChart<HopsView> {
  constructor(host: HTMLElement) {
    super(host, margins);
  }

  protected override drawView(plot: Plot, view: HopsView): void {
    const { left, right } = halvesOf(plot, view.bars.rows.length);
    const chainPx = 4 * left.remPx;
    drawChain(partOf(left, { width: left.width, height: chainPx }), view.chain);
    drawHops(partOf(left, { y: chainPx, width: left.width, height: left.height - chainPx }), view);
    drawBarRows(right, view.bars);
  }
}

/** Draws the row, and each older version that a reader visits. */
function drawChain({ group, remPx }: Plot, { versions, text }: HopsView['chain']): void {
  addSvg(group, 'text', { class: 'picture-title', x: 0, y: 0.9 * remPx }, text);
  const [boxW, boxH, step] = [3.1 * remPx, 1.5 * remPx, 3.9 * remPx];
  const y = 1.4 * remPx;
  for (const i of range(1 + Math.min(VERSIONS_SHOWN, Math.round(versions)))) {
    const look = i === 0 ? 'picture-row' : 'picture-version';
    addSvg(group, 'rect', { class: look, x: i * step, y, width: boxW, height: boxH, rx: 3 });
    const name = i === 0 ? 'row' : 'undo';
    addSvg(group, 'text', { class: 'picture-middle', x: i * step + boxW / 2, y: y + 1.05 * remPx }, name);
    if (i > 0) {
      addSvg(group, 'line', {
        class: 'picture-link',
        x1: (i - 1) * step + boxW,
        x2: i * step,
        y1: y + boxH / 2,
        y2: y + boxH / 2,
      });
    }
  }
}

/**
 * Draws time to the right and cores above each other: a step per hop, thicker where it leaves the
 * group.
 */
function drawHops(plot: Plot, { title, groups, hops, spanText, nothing }: HopsView): void {
  const { group, width, height, remPx } = plot;
  addSvg(group, 'text', { class: 'picture-title', x: 0, y: 0.9 * remPx }, title);
  if (hops.length === 0) {
    addSvg(group, 'text', { class: 'picture-label', x: 0, y: 2.4 * remPx }, nothing);
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
    addSvg(group, 'rect', {
      class: 'picture-group',
      x: left,
      y: bandY,
      width: width - left,
      height: size * corePx,
      rx: 3,
    });
    addSvg(
      group,
      'text',
      { class: 'picture-small', x: 0, y: bandY + (size * corePx) / 2 + 0.3 * remPx },
      name,
    );
  }
  const [first, last] = [hops[0]!, hops.at(-1)!];
  const x = scaleLinear()
    .domain([first.atNs, Math.max(last.atNs, first.atNs + 1)])
    .range([left + 0.4 * remPx, width - 0.5 * remPx]);
  for (const [i, hop] of hops.entries()) {
    const at = x(hop.atNs);
    const until = x(hops[i + 1]?.atNs ?? hop.atNs);
    const look = groupOf(hop.from) === groupOf(hop.to) ? 'picture-hop' : 'picture-hop picture-hop-far';
    addSvg(group, 'line', { class: look, x1: at, x2: at, y1: y(hop.from), y2: y(hop.to) });
    addSvg(group, 'line', { class: 'picture-stay', x1: at, x2: until, y1: y(hop.to), y2: y(hop.to) });
  }
  addSvg(group, 'circle', { class: 'picture-line-now', cx: x(last.atNs), cy: y(last.to), r: 0.3 * remPx });
  addSvg(group, 'text', { class: 'picture-small picture-end', x: width, y: height - 0.2 * remPx }, spanText);
}
