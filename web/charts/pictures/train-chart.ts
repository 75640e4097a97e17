import { range } from 'd3-array';
import { scaleLinear } from 'd3-scale';

import type { Stretch, WaitTimeline } from '../../analysis/pictures/gtid-train';
import { addLine, addSvg, addText, type Plot } from '../svg-plot';
import { drawTitle, pictureChart, splitAt, type BarRowsView } from './bar-rows';

export interface TrainView {
  train: { title: string; members: number };
  timeline: { title: string; seen: WaitTimeline | null; nothing: string; spanText: string };
  bars: BarRowsView;
}

/**
 * Draws a commit group as a train behind its leader, the activity of leader and persister, and all
 * variants on one axis.
 */
export const trainChart = pictureChart((plot, view: TrainView) => {
  const [top, bottom] = splitAt(plot, 4.6 * plot.remPx);
  drawTrain(top, view.train);
  drawTimeline(bottom, view.timeline);
});

function drawTrain(plot: Plot, { title, members }: TrainView['train']): void {
  const { group, width, remPx } = plot;
  drawTitle(plot, title);
  if (members < 1) return;
  const [boxW, boxH, step] = [1.5 * remPx, 1.5 * remPx, 1.85 * remPx];
  const room = Math.max(2, Math.floor(width / step) - 2);
  const wagons = Math.round(members);
  const y = 1.5 * remPx;
  for (const i of range(Math.min(room, wagons))) {
    const x = i * step;
    const look = i === 0 ? 'picture-leader' : 'picture-wagon';
    addSvg(group, 'rect', { class: look, x, y, width: boxW, height: boxH, rx: 4 });
    for (const cx of [x + 0.3 * boxW, x + 0.7 * boxW])
      addSvg(group, 'circle', { class: 'picture-wheel', cx, cy: y + boxH, r: 0.2 * remPx });
    const middle = y + boxH / 2;
    if (i > 0) addLine(group, 'picture-link', [x - step + boxW, middle], [x, middle]);
  }
  if (wagons > room) addText(group, 'picture-label', [room * step, y + 1.05 * remPx], `… ${wagons}`);
}

/**
 * Draws the leader above and the persister below, on one time axis. Between them is the time in
 * which the leader does not poll.
 */
function drawTimeline(plot: Plot, { title, seen, nothing, spanText }: TrainView['timeline']): void {
  const { group, width, height, remPx } = plot;
  drawTitle(plot, title);
  if (seen === null) {
    addText(group, 'picture-label', [0, 2.4 * remPx], nothing);
    return;
  }
  const x = scaleLinear().domain([seen.fromNs, seen.toNs]).range([0, width]).clamp(true);
  const rowPx = Math.min(6 * remPx, (height - 2.8 * remPx) / 3);
  const rows: { name: string; look: string; stretches: readonly Stretch[] }[] = [
    { name: 'The leader sleeps until its next poll', look: 'picture-nap', stretches: seen.naps },
    { name: 'The persister saves the GTIDs', look: 'picture-flush', stretches: seen.flushes },
    { name: 'Saved, but not yet noticed', look: 'picture-unseen', stretches: seen.unseen },
  ];
  for (const [i, { name, look, stretches }] of rows.entries()) {
    const y = 1.5 * remPx + i * rowPx;
    addText(group, 'picture-label', [0, y + 0.95 * remPx], name);
    const bar = { y: y + 1.25 * remPx, height: Math.max(4, rowPx - 1.7 * remPx), rx: 2 };
    for (const { fromNs, toNs } of stretches) {
      const span = { x: x(fromNs) + 0.75, width: Math.max(1, x(toNs) - x(fromNs) - 1.5) };
      addSvg(group, 'rect', { class: look, ...bar, ...span });
    }
  }
  const endY = 1.5 * remPx + rows.length * rowPx + 0.9 * remPx;
  addText(group, 'picture-small picture-end', [width, endY], spanText);
}
