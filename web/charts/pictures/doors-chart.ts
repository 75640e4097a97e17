import { addSvg, SvgChart, type Plot } from '../svg-plot';
import { drawBarRows, halvesOf, partOf, type BarRowsView } from './bar-rows';

const margins = { top: 0.2, right: 0.2, bottom: 0.2, left: 0.2 };

export interface DoorsView {
  file: { title: string; share: number | null };
  /**
   * The chain of waits, from the last waiter to the thread that all wait for; below each node, the
   * purpose of its work.
   */
  title: string;
  nodes: readonly { text: string; detail: string; look: 'clients' | 'log' | 'index' | 'purge' }[];
  /** From each node to the next. `isThere` false: a knob has removed it. */
  edges: readonly { text: string; isThere: boolean }[];
  bars: BarRowsView;
}

/**
 * Draws the binlog file, the two latches with their holders, the wait edges between them, and the
 * gap in all COMMITs.
 */
export class DoorsChart extends SvgChart<DoorsView> {
  constructor(host: HTMLElement) {
    super(host, margins);
  }

  protected override drawView(plot: Plot, view: DoorsView): void {
    const { left, right } = halvesOf(plot, view.bars.rows.length);
    const filePx = 3.6 * left.remPx;
    drawFile(partOf(left, { width: left.width, height: filePx }), view.file);
    drawGraph(partOf(left, { y: filePx, width: left.width, height: left.height - filePx }), view);
    drawBarRows(right, view.bars);
  }
}

function drawFile({ group, width, remPx }: Plot, { title, share }: DoorsView['file']): void {
  addSvg(group, 'text', { class: 'picture-title', x: 0, y: 0.9 * remPx }, title);
  const box = { x: 1, y: 1.3 * remPx, height: 1.3 * remPx, rx: 3 };
  addSvg(group, 'rect', { class: 'picture-slot', ...box, width: width - 2 });
  if (share !== null && share > 0)
    addSvg(group, 'rect', { class: 'picture-file', ...box, width: share * (width - 2) });
}

function drawGraph({ group, width, height, remPx }: Plot, { title, nodes, edges }: DoorsView): void {
  addSvg(group, 'text', { class: 'picture-title', x: 0, y: 0.9 * remPx }, title);
  const top = 1.5 * remPx;
  const boxPx = 2.9 * remPx;
  const edgePx = Math.max(1.7 * remPx, (height - top - nodes.length * boxPx) / Math.max(1, edges.length));
  for (const [i, { text, detail, look }] of nodes.entries()) {
    const y = top + i * (boxPx + edgePx);
    addSvg(group, 'rect', {
      class: `picture-node picture-node-${look}`,
      x: 1,
      y,
      width: width - 2,
      height: boxPx,
      rx: 6,
    });
    addSvg(group, 'text', { class: 'picture-strong', x: 0.7 * remPx, y: y + 1.2 * remPx }, text);
    addSvg(group, 'text', { class: 'picture-small', x: 0.7 * remPx, y: y + 2.35 * remPx }, detail);
    const edge = edges[i];
    if (edge !== undefined) drawEdge(group, edge, { x: 1.6 * remPx, y: y + boxPx, edgePx, remPx });
  }
}

function drawEdge(
  group: SVGGElement,
  { text, isThere }: DoorsView['edges'][number],
  { x, y, edgePx, remPx }: { x: number; y: number; edgePx: number; remPx: number },
): void {
  const look = isThere ? 'picture-edge' : 'picture-edge picture-edge-gone';
  const [tip, wing] = [y + edgePx, 0.35 * remPx];
  addSvg(group, 'line', { class: look, x1: x, x2: x, y1: y, y2: tip - (isThere ? wing : 0) });
  if (isThere) {
    addSvg(group, 'path', {
      class: 'picture-tip',
      d: `M${x - wing} ${tip - 1.6 * wing}L${x} ${tip}L${x + wing} ${tip - 1.6 * wing}Z`,
    });
  } else {
    const middle = y + edgePx / 2;
    addSvg(group, 'path', {
      class: 'picture-cross',
      d: `M${x - wing} ${middle - wing}l${2 * wing} ${2 * wing}m0 ${-2 * wing}l${-2 * wing} ${2 * wing}`,
    });
  }
  addSvg(
    group,
    'text',
    { class: isThere ? 'picture-label' : 'picture-small', x: x + remPx, y: y + edgePx / 2 + 0.3 * remPx },
    text,
  );
}
