import { addLine, addSvg, addText, type Plot } from '../svg-plot';
import { drawTitle, pictureChart, splitAt, type BarRowsView } from './bar-rows';

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
export const doorsChart = pictureChart((plot, view: DoorsView) => {
  const [top, bottom] = splitAt(plot, 3.6 * plot.remPx);
  drawFile(top, view.file);
  drawGraph(bottom, view);
});

function drawFile(plot: Plot, { title, share }: DoorsView['file']): void {
  const { group, width, remPx } = plot;
  drawTitle(plot, title);
  const box = { x: 1, y: 1.3 * remPx, height: 1.3 * remPx, rx: 3 };
  addSvg(group, 'rect', { class: 'picture-slot', ...box, width: width - 2 });
  if (share !== null && share > 0)
    addSvg(group, 'rect', { class: 'picture-file', ...box, width: share * (width - 2) });
}

function drawGraph(plot: Plot, { title, nodes, edges }: DoorsView): void {
  const { group, width, height, remPx } = plot;
  drawTitle(plot, title);
  const top = 1.5 * remPx;
  const boxPx = 2.9 * remPx;
  const edgePx = Math.max(1.7 * remPx, (height - top - nodes.length * boxPx) / Math.max(1, edges.length));
  for (const [i, { text, detail, look }] of nodes.entries()) {
    const y = top + i * (boxPx + edgePx);
    const box = { x: 1, y, width: width - 2, height: boxPx, rx: 6 };
    addSvg(group, 'rect', { class: `picture-node picture-node-${look}`, ...box });
    addText(group, 'picture-strong', [0.7 * remPx, y + 1.2 * remPx], text);
    addText(group, 'picture-small', [0.7 * remPx, y + 2.35 * remPx], detail);
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
  addLine(group, look, [x, y], [x, tip - (isThere ? wing : 0)]);
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
  const textLook = isThere ? 'picture-label' : 'picture-small';
  addText(group, textLook, [x + remPx, y + edgePx / 2 + 0.3 * remPx], text);
}
