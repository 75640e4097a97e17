import { range } from 'd3-array';
import { scaleLinear } from 'd3-scale';

import type { Stretch, WaitTimeline } from '../../analysis/pictures/gtid-train';
import { addSvg, SvgChart, type Plot } from '../svg-plot';
import { drawBarRows, halvesOf, partOf, type BarRowsView } from './bar-rows';

const MARGINS = { top: 0.2, right: 0.2, bottom: 0.2, left: 0.2 };

export interface TrainView {
  train: { title: string; members: number };
  timeline: { title: string; seen: WaitTimeline | null; nothing: string; span_text: string };
  bars: BarRowsView;
}

/**
 * Draws a commit group as a train behind its leader, the activity of leader and persister, and all
 * variants on one axis.
 */
export class TrainChart extends SvgChart<TrainView> {
  constructor(host: HTMLElement) {
    super(host, MARGINS);
  }

  protected override drawView(plot: Plot, view: TrainView): void {
    const { left, right } = halvesOf(plot, view.bars.rows.length);
    const train_px = 4.6 * left.rem_px;
    drawTrain(partOf(left, { width: left.width, height: train_px }), view.train);
    drawTimeline(
      partOf(left, { y: train_px, width: left.width, height: left.height - train_px }),
      view.timeline,
    );
    drawBarRows(right, view.bars);
  }
}

function drawTrain({ group, width, rem_px }: Plot, { title, members }: TrainView['train']): void {
  addSvg(group, 'text', { class: 'picture-title', x: 0, y: 0.9 * rem_px }, title);
  if (members < 1) return;
  const [box_w, box_h, step] = [1.5 * rem_px, 1.5 * rem_px, 1.85 * rem_px];
  const room = Math.max(2, Math.floor(width / step) - 2);
  const wagons = Math.round(members);
  const y = 1.5 * rem_px;
  for (const i of range(Math.min(room, wagons))) {
    const x = i * step;
    const look = i === 0 ? 'picture-leader' : 'picture-wagon';
    addSvg(group, 'rect', { class: look, x, y, width: box_w, height: box_h, rx: 4 });
    for (const wheel of [0.3, 0.7])
      addSvg(group, 'circle', {
        class: 'picture-wheel',
        cx: x + wheel * box_w,
        cy: y + box_h,
        r: 0.2 * rem_px,
      });
    if (i > 0)
      addSvg(group, 'line', {
        class: 'picture-link',
        x1: x - step + box_w,
        x2: x,
        y1: y + box_h / 2,
        y2: y + box_h / 2,
      });
  }
  if (wagons > room)
    addSvg(group, 'text', { class: 'picture-label', x: room * step, y: y + 1.05 * rem_px }, `… ${wagons}`);
}

/**
 * Draws the leader above and the persister below, on one time axis. Between them is the time in
 * which the leader does not poll.
 */
function drawTimeline(plot: Plot, { title, seen, nothing, span_text }: TrainView['timeline']): void {
  const { group, width, height, rem_px } = plot;
  addSvg(group, 'text', { class: 'picture-title', x: 0, y: 0.9 * rem_px }, title);
  if (seen === null) {
    addSvg(group, 'text', { class: 'picture-label', x: 0, y: 2.4 * rem_px }, nothing);
    return;
  }
  const x = scaleLinear().domain([seen.fromNs, seen.toNs]).range([0, width]).clamp(true);
  const row_px = Math.min(6 * rem_px, (height - 2.8 * rem_px) / 3);
  const rows: { name: string; look: string; stretches: readonly Stretch[] }[] = [
    { name: 'The leader sleeps until its next poll', look: 'picture-nap', stretches: seen.naps },
    { name: 'The persister saves the GTIDs', look: 'picture-flush', stretches: seen.flushes },
    { name: 'Saved, but not yet noticed', look: 'picture-unseen', stretches: seen.unseen },
  ];
  for (const [i, { name, look, stretches }] of rows.entries()) {
    const y = 1.5 * rem_px + i * row_px;
    addSvg(group, 'text', { class: 'picture-label', x: 0, y: y + 0.95 * rem_px }, name);
    const bar = { y: y + 1.25 * rem_px, height: Math.max(4, row_px - 1.7 * rem_px), rx: 2 };
    for (const { fromNs, toNs } of stretches) {
      const span = { x: x(fromNs) + 0.75, width: Math.max(1, x(toNs) - x(fromNs) - 1.5) };
      addSvg(group, 'rect', { class: look, ...bar, ...span });
    }
  }
  addSvg(
    group,
    'text',
    { class: 'picture-small picture-end', x: width, y: 1.5 * rem_px + rows.length * row_px + 0.9 * rem_px },
    span_text,
  );
}
