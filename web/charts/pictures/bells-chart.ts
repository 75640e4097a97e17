import { range } from 'd3-array';

import { addSvg, addText, type Plot } from '../svg-plot';
import { drawTitle, partOf, pictureChart, type BarRowsView } from './bar-rows';

const CELLS = 64;
const DOTS_MAX = 240;
const TITLE_REM = 1.5;
const STEP_REM = 2.3;

export interface BellsView {
  array: { title: string; taken: number; slots: number };
  handlers: { title: string; names: readonly { name: string; state: 'busy' | 'idle' | 'wants' }[] };
  bells: { title: string; count: number };
  woken: { title: string; count: number } | null;
  bars: BarRowsView;
}

/**
 * Draws the array of slots, its handlers, a bell for each wake-up call, and the clients that wake
 * for one slot.
 */
export const bellsChart = pictureChart((plot, view: BellsView) => {
  const { width, height, remPx } = plot;
  const gap = 0.6 * remPx;
  let y = 0;
  const take = (partHeight: number) => {
    const part = partOf(plot, { y, width, height: partHeight });
    y += partHeight + gap;
    return part;
  };
  drawArray(take(4.2 * remPx), view.array);
  drawHandlers(take(3.6 * remPx), view.handlers);
  const wokenPx = view.woken === null ? 0 : 3.6 * remPx;
  drawDots(take(height - y - wokenPx - gap), view.bells, 'picture-bell');
  if (view.woken !== null) drawDots(take(wokenPx), view.woken, 'picture-sleeper');
});

/**
 * Draws the array. At most 64 cells represent the slots in equal shares; the engine does not count
 * which slots are occupied.
 */
function drawArray(plot: Plot, { title, taken, slots }: BellsView['array']): void {
  const { group, width, height, remPx } = plot;
  drawTitle(plot, title);
  const cells = Math.min(CELLS, slots);
  const columns = cells / Math.min(2, cells);
  const [cellW, cellH] = [width / columns, (height - TITLE_REM * remPx) / Math.min(2, cells)];
  const full = Math.round((taken / slots) * cells);
  for (const i of range(cells)) {
    const look = i < full ? 'picture-slot picture-slot-taken' : 'picture-slot';
    const [x, y] = [(i % columns) * cellW, TITLE_REM * remPx + Math.floor(i / columns) * cellH];
    const cell = { x: x + 0.5, y: y + 0.5, width: cellW - 1.5, height: cellH - 1.5, rx: 1 };
    addSvg(group, 'rect', { class: look, ...cell });
  }
}

function drawHandlers(plot: Plot, { title, names }: BellsView['handlers']): void {
  const { group, width, height, remPx } = plot;
  drawTitle(plot, title);
  const step = width / Math.max(1, names.length);
  const top = TITLE_REM * remPx;
  for (const [i, { name, state }] of names.entries()) {
    const box = { x: i * step + 1, y: top, width: step - 2, height: height - top, rx: 4 };
    addSvg(group, 'rect', { class: `picture-handler picture-handler-${state}`, ...box });
    addText(group, 'picture-middle', [(i + 0.5) * step, top + 1.25 * remPx], name);
  }
}

/** Draws one dot that is needed, and all others. */
function drawDots(plot: Plot, { title, count }: { title: string; count: number }, look: string): void {
  const { group, width, height, remPx } = plot;
  drawTitle(plot, title);
  const dots = Math.min(DOTS_MAX, Math.round(count));
  const room = Math.max(remPx, height - TITLE_REM * remPx);
  const step = Math.min(STEP_REM * remPx, Math.sqrt((width * room) / Math.max(1, dots)) * 0.94);
  const columns = Math.max(1, Math.floor(width / step));
  for (const i of range(dots)) {
    const [cx, cy] = [
      ((i % columns) + 0.5) * step,
      TITLE_REM * remPx + (Math.floor(i / columns) + 0.5) * step,
    ];
    addSvg(group, 'path', {
      class: i === 0 ? `${look} picture-needed` : look,
      transform: `translate(${cx} ${cy}) scale(${step / 20})`,
      d: look === 'picture-bell' ? BELL : SLEEPER,
    });
  }
}

/** Each about 14 units wide and high, around its center. */
const BELL = 'M-7 5C-4 3 -5 -6 0 -7C5 -6 4 3 7 5ZM-2 5A2 2 0 0 0 2 5Z';
const SLEEPER = 'M0 -7A3 3 0 1 1 -0.1 -7ZM-6 7C-6 1 -3 0 0 0C3 0 6 1 6 7Z';
