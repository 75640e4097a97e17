import { range } from 'd3-array';

import { addSvg, SvgChart, type Plot } from '../svg-plot';
import { drawBarRows, fitted, halvesOf, partOf, type BarRowsView } from './bar-rows';

const MARGINS = { top: 0.2, right: 0.2, bottom: 0.2, left: 0.2 };
const DOT_REM = 0.27;
const DOTS_MAX = 24;

export interface StopsView {
  title: string;
  stops: readonly {
    function: string;
    latch: string;
    per_read: string;
    queue: number | null;
    queue_text: string;
  }[];
  /** Text to show if there is no stop. */
  nothing: string;
  bars: BarRowsView;
}

/**
 * Draws the stops of one block read, one below another, all at the same latch, with a dot for each
 * waiting thread.
 */
export class StopsChart extends SvgChart<StopsView> {
  constructor(host: HTMLElement) {
    super(host, MARGINS);
  }

  protected override drawView(plot: Plot, view: StopsView): void {
    const { left, right } = halvesOf(plot, view.bars.rows.length);
    drawStops(left, view);
    drawBarRows(right, view.bars);
  }
}

function drawStops(plot: Plot, { title, stops, nothing }: StopsView): void {
  const { group, width, height, rem_px } = plot;
  addSvg(group, 'text', { class: 'picture-title', x: 0, y: 0.9 * rem_px }, title);
  const top = 1.5 * rem_px;
  if (stops.length === 0) {
    addSvg(group, 'text', { class: 'picture-label', x: 0, y: top + rem_px }, nothing);
    return;
  }
  const latch_px = 1.7 * rem_px;
  const row_px = (height - top) / stops.length;
  drawLatches(partOf(plot, { x: width - latch_px, y: top, width: latch_px, height: height - top }), stops);
  const way_x = 0.7 * rem_px;
  addSvg(group, 'line', { class: 'picture-way', x1: way_x, x2: way_x, y1: top + 0.7 * rem_px, y2: height });
  for (const [i, stop] of stops.entries()) {
    const row = partOf(plot, { y: top + i * row_px, width: width - latch_px, height: row_px });
    drawStop(row, stop, { number: i + 1, way_x });
  }
}

function drawStop(
  { group, width, height, rem_px }: Plot,
  stop: StopsView['stops'][number],
  { number, way_x }: { number: number; way_x: number },
): void {
  const name_y = 0.95 * rem_px;
  const queue_y = Math.min(height - 0.5 * rem_px, name_y + 1.05 * rem_px);
  addSvg(group, 'circle', { class: 'picture-stop', cx: way_x, cy: name_y - 0.3 * rem_px, r: 0.62 * rem_px });
  addSvg(group, 'text', { class: 'picture-stop-number', x: way_x, y: name_y }, String(number));
  const text_x = 1.7 * rem_px;
  addSvg(
    group,
    'text',
    { class: 'picture-function', x: text_x, y: name_y },
    fitted(stop.function, width - text_x, rem_px),
  );
  addSvg(
    group,
    'text',
    { class: 'picture-small', x: text_x, y: queue_y + 0.28 * rem_px },
    `${stop.per_read}, ${stop.queue_text}`,
  );
  const right = width - 0.3 * rem_px;
  const step = 2.35 * DOT_REM * rem_px;
  for (const place of range(Math.min(DOTS_MAX, Math.round(stop.queue ?? 0)))) {
    const cx = right - (place + 1) * step;
    addSvg(group, 'circle', { class: 'picture-thread', cx, cy: queue_y, r: DOT_REM * rem_px });
  }
  addSvg(group, 'path', {
    class: 'picture-arrow',
    d: `M${right - 0.4 * step} ${queue_y - 0.3 * rem_px}L${right + 0.25 * rem_px} ${queue_y}L${right - 0.4 * step} ${queue_y + 0.3 * rem_px}Z`,
  });
}

/** Draws one box from the first stop that acquires a latch to the last one. */
function drawLatches({ group, width, height, rem_px }: Plot, stops: StopsView['stops']): void {
  const row_px = height / stops.length;
  for (const latch of new Set(stops.map((stop) => stop.latch))) {
    const first = stops.findIndex((stop) => stop.latch === latch);
    const last = stops.findLastIndex((stop) => stop.latch === latch);
    const [y, box_px] = [first * row_px + 2, (last - first + 1) * row_px - 4];
    addSvg(group, 'rect', { class: 'picture-latch', x: 2, y, width: width - 4, height: box_px, rx: 4 });
    const middle = y + box_px / 2;
    const x = width / 2 + 0.28 * rem_px;
    const turned = `rotate(-90 ${x} ${middle})`;
    if (box_px > 8 * rem_px)
      addSvg(group, 'text', { class: 'picture-latch-name', x, y: middle, transform: turned }, latch);
  }
}
