import { range } from 'd3-array';

import { addLine, addSvg, addText, type Plot } from '../svg-plot';
import { addFitted, drawTitle, partOf, pictureChart, type BarRowsView } from './bar-rows';

const DOT_REM = 0.27;
const DOTS_MAX = 24;

export interface StopsView {
  title: string;
  stops: readonly {
    function: string;
    latch: string;
    perRead: string;
    queue: number | null;
    queueText: string;
  }[];
  /** Text to show if there is no stop. */
  nothing: string;
  bars: BarRowsView;
}

/**
 * Draws the stops of one block read, one below another, all at the same latch, with a dot for each
 * waiting thread.
 */
export const stopsChart = pictureChart((plot, { title, stops, nothing }: StopsView) => {
  const { group, width, height, remPx } = plot;
  drawTitle(plot, title);
  const top = 1.5 * remPx;
  if (stops.length === 0) {
    addText(group, 'picture-label', [0, top + remPx], nothing);
    return;
  }
  const latchPx = 1.7 * remPx;
  const rowPx = (height - top) / stops.length;
  drawLatches(partOf(plot, { x: width - latchPx, y: top, width: latchPx, height: height - top }), stops);
  const wayX = 0.7 * remPx;
  addLine(group, 'picture-way', [wayX, top + 0.7 * remPx], [wayX, height]);
  for (const [i, stop] of stops.entries()) {
    const row = partOf(plot, { y: top + i * rowPx, width: width - latchPx, height: rowPx });
    drawStop(row, stop, { number: i + 1, wayX });
  }
});

function drawStop(
  { group, width, height, remPx }: Plot,
  stop: StopsView['stops'][number],
  { number, wayX }: { number: number; wayX: number },
): void {
  const nameY = 0.95 * remPx;
  const queueY = Math.min(height - 0.5 * remPx, nameY + 1.05 * remPx);
  addSvg(group, 'circle', { class: 'picture-stop', cx: wayX, cy: nameY - 0.3 * remPx, r: 0.62 * remPx });
  addText(group, 'picture-stop-number', [wayX, nameY], String(number));
  const textX = 1.7 * remPx;
  addFitted(group, 'picture-function', [textX, nameY], {
    name: stop.function,
    width: width - textX,
    remPx,
  });
  addText(group, 'picture-small', [textX, queueY + 0.28 * remPx], `${stop.perRead}, ${stop.queueText}`);
  const right = width - 0.3 * remPx;
  const step = 2.35 * DOT_REM * remPx;
  for (const place of range(Math.min(DOTS_MAX, Math.round(stop.queue ?? 0)))) {
    const cx = right - (place + 1) * step;
    addSvg(group, 'circle', { class: 'picture-thread', cx, cy: queueY, r: DOT_REM * remPx });
  }
  addSvg(group, 'path', {
    class: 'picture-arrow',
    d: `M${right - 0.4 * step} ${queueY - 0.3 * remPx}L${right + 0.25 * remPx} ${queueY}L${right - 0.4 * step} ${queueY + 0.3 * remPx}Z`,
  });
}

/** Draws one box from the first stop that acquires a latch to the last one. */
function drawLatches({ group, width, height, remPx }: Plot, stops: StopsView['stops']): void {
  const rowPx = height / stops.length;
  for (const latch of new Set(stops.map((stop) => stop.latch))) {
    const first = stops.findIndex((stop) => stop.latch === latch);
    const last = stops.findLastIndex((stop) => stop.latch === latch);
    const [y, boxPx] = [first * rowPx + 2, (last - first + 1) * rowPx - 4];
    addSvg(group, 'rect', { class: 'picture-latch', x: 2, y, width: width - 4, height: boxPx, rx: 4 });
    const middle = y + boxPx / 2;
    const x = width / 2 + 0.28 * remPx;
    if (boxPx <= 8 * remPx) continue;
    const name = addText(group, 'picture-latch-name', [x, middle], latch);
    name.setAttribute('transform', `rotate(-90 ${x} ${middle})`);
  }
}
