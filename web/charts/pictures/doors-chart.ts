import { addSvg, SvgChart, type Plot } from '../svg-plot';
import { drawBarRows, halvesOf, partOf, type BarRowsView } from './bar-rows';

const MARGINS = { top: 0.2, right: 0.2, bottom: 0.2, left: 0.2 };

export interface DoorsView {
  file: { title: string; share: number | null };
  /**
   * The chain of waits, from the last waiter to the thread that all wait for; below each node, the
   * purpose of its work.
   */
  title: string;
  nodes: readonly { text: string; detail: string; look: 'clients' | 'log' | 'index' | 'purge' }[];
  /** From each node to the next. `is_there` false: a knob has removed it. */
  edges: readonly { text: string; is_there: boolean }[];
  bars: BarRowsView;
}

/**
 * Draws the binlog file, the two latches with their holders, the wait edges between them, and the
 * gap in all COMMITs.
 */
export class DoorsChart extends SvgChart<DoorsView> {
  constructor(host: HTMLElement) {
    super(host, MARGINS);
  }

  protected override drawView(plot: Plot, view: DoorsView): void {
    const { left, right } = halvesOf(plot, view.bars.rows.length);
    const file_px = 3.6 * left.rem_px;
    drawFile(partOf(left, { width: left.width, height: file_px }), view.file);
    drawGraph(partOf(left, { y: file_px, width: left.width, height: left.height - file_px }), view);
    drawBarRows(right, view.bars);
  }
}

function drawFile({ group, width, rem_px }: Plot, { title, share }: DoorsView['file']): void {
  addSvg(group, 'text', { class: 'picture-title', x: 0, y: 0.9 * rem_px }, title);
  const box = { x: 1, y: 1.3 * rem_px, height: 1.3 * rem_px, rx: 3 };
  addSvg(group, 'rect', { class: 'picture-slot', ...box, width: width - 2 });
  if (share !== null && share > 0)
    addSvg(group, 'rect', { class: 'picture-file', ...box, width: share * (width - 2) });
}

function drawGraph({ group, width, height, rem_px }: Plot, { title, nodes, edges }: DoorsView): void {
  addSvg(group, 'text', { class: 'picture-title', x: 0, y: 0.9 * rem_px }, title);
  const top = 1.5 * rem_px;
  const box_px = 2.9 * rem_px;
  const edge_px = Math.max(1.7 * rem_px, (height - top - nodes.length * box_px) / Math.max(1, edges.length));
  for (const [i, { text, detail, look }] of nodes.entries()) {
    const y = top + i * (box_px + edge_px);
    addSvg(group, 'rect', {
      class: `picture-node picture-node-${look}`,
      x: 1,
      y,
      width: width - 2,
      height: box_px,
      rx: 6,
    });
    addSvg(group, 'text', { class: 'picture-strong', x: 0.7 * rem_px, y: y + 1.2 * rem_px }, text);
    addSvg(group, 'text', { class: 'picture-small', x: 0.7 * rem_px, y: y + 2.35 * rem_px }, detail);
    const edge = edges[i];
    if (edge !== undefined) drawEdge(group, edge, { x: 1.6 * rem_px, y: y + box_px, edge_px, rem_px });
  }
}

function drawEdge(
  group: SVGGElement,
  { text, is_there }: DoorsView['edges'][number],
  { x, y, edge_px, rem_px }: { x: number; y: number; edge_px: number; rem_px: number },
): void {
  const look = is_there ? 'picture-edge' : 'picture-edge picture-edge-gone';
  const [tip, wing] = [y + edge_px, 0.35 * rem_px];
  addSvg(group, 'line', { class: look, x1: x, x2: x, y1: y, y2: tip - (is_there ? wing : 0) });
  if (is_there) {
    addSvg(group, 'path', {
      class: 'picture-tip',
      d: `M${x - wing} ${tip - 1.6 * wing}L${x} ${tip}L${x + wing} ${tip - 1.6 * wing}Z`,
    });
  } else {
    const middle = y + edge_px / 2;
    addSvg(group, 'path', {
      class: 'picture-cross',
      d: `M${x - wing} ${middle - wing}l${2 * wing} ${2 * wing}m0 ${-2 * wing}l${-2 * wing} ${2 * wing}`,
    });
  }
  addSvg(
    group,
    'text',
    { class: is_there ? 'picture-label' : 'picture-small', x: x + rem_px, y: y + edge_px / 2 + 0.3 * rem_px },
    text,
  );
}
