import { range } from 'd3-array';
import { scaleLinear } from 'd3-scale';

import type { Stretch, WaitTimeline } from '../../analysis/pictures/gtid-train';
import { addSvg, SvgChart, type Plot } from '../svg-plot';
import { drawBarRows, halvesOf, partOf, type BarRowsView } from './bar-rows';

const margins = { top: 0.2, right: 0.2, bottom: 0.2, left: 0.2 };

export interface TrainView {
  train: { title: string; members: number };
  timeline: { title: string; seen: WaitTimeline | null; nothing: string; spanText: string };
  bars: BarRowsView;
}

/**
 * Draws a commit group as a train behind its leader, the activity of leader and persister, and all
 * variants on one axis.
 */
export class TrainChart extends SvgChart<TrainView> {
  constructor(host: HTMLElement) {
    super(host, margins);
  }

  protected override drawView(plot: Plot, view: TrainView): void {
    const { left, right } = halvesOf(plot, view.bars.rows.length);
    const trainPx = 4.6 * left.remPx;
    drawTrain(partOf(left, { width: left.width, height: trainPx }), view.train);
    drawTimeline(
      partOf(left, { y: trainPx, width: left.width, height: left.height - trainPx }),
      view.timeline,
    );
    drawBarRows(right, view.bars);
  }
}

function drawTrain({ group, width, remPx }: Plot, { title, members }: TrainView['train']): void {
  addSvg(group, 'text', { class: 'picture-title', x: 0, y: 0.9 * remPx }, title);
  if (members < 1) return;
  const [boxW, boxH, step] = [1.5 * remPx, 1.5 * remPx, 1.85 * remPx];
  const room = Math.max(2, Math.floor(width / step) - 2);
  const wagons = Math.round(members);
  const y = 1.5 * remPx;
  for (const i of range(Math.min(room, wagons))) {
    const x = i * step;
    const look = i === 0 ? 'picture-leader' : 'picture-wagon';
    addSvg(group, 'rect', { class: look, x, y, width: boxW, height: boxH, rx: 4 });
    for (const wheel of [0.3, 0.7])
      addSvg(group, 'circle', {
        class: 'picture-wheel',
        cx: x + wheel * boxW,
        cy: y + boxH,
        r: 0.2 * remPx,
      });
    if (i > 0)
      addSvg(group, 'line', {
        class: 'picture-link',
        x1: x - step + boxW,
        x2: x,
        y1: y + boxH / 2,
        y2: y + boxH / 2,
      });
  }
  if (wagons > room)
    addSvg(group, 'text', { class: 'picture-label', x: room * step, y: y + 1.05 * remPx }, `… ${wagons}`);
}

/**
 * Draws the leader above and the persister below, on one time axis. Between them is the time in
 * which the leader does not poll.
 */
function drawTimeline(plot: Plot, { title, seen, nothing, spanText }: TrainView['timeline']): void {
  const { group, width, height, remPx } = plot;
  addSvg(group, 'text', { class: 'picture-title', x: 0, y: 0.9 * remPx }, title);
  if (seen === null) {
    addSvg(group, 'text', { class: 'picture-label', x: 0, y: 2.4 * remPx }, nothing);
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
    addSvg(group, 'text', { class: 'picture-label', x: 0, y: y + 0.95 * remPx }, name);
    const bar = { y: y + 1.25 * remPx, height: Math.max(4, rowPx - 1.7 * remPx), rx: 2 };
    for (const { fromNs, toNs } of stretches) {
      const span = { x: x(fromNs) + 0.75, width: Math.max(1, x(toNs) - x(fromNs) - 1.5) };
      addSvg(group, 'rect', { class: look, ...bar, ...span });
    }
  }
  addSvg(
    group,
    'text',
    { class: 'picture-small picture-end', x: width, y: 1.5 * remPx + rows.length * rowPx + 0.9 * remPx },
    spanText,
  );
}
