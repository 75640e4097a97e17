// Lays out the track of a latch: the holder and the number of waiters in each pixel.
import type { HoldMode } from '../recording/latch-state';
import type { Hold, QueueStep } from '../recording/latch-trace';
import type { Plot } from './chart';

/** Number of owner colors. Successive holders of a latch usually have different ones. */
const OWNER_COLORS = 12;

/** Returns the custom property of the style sheet with the color of a thread's holds. */
export const ownerColor = (slot: number): string => `--owner-${slot % OWNER_COLORS}`;

/** Maximum number of shared holders with a stripe each. */
export const SHARERS_DRAWN_MAX = 4;

/** Adjacent pixels with the same content. */
export interface HoldRun {
  fromPx: number;
  toPx: number;
  /**
   * The thread that held the latch for most of the time, or the threads that shared it, longest
   * first.
   */
  slots: number[];
  /** S means shared. */
  mode: HoldMode;
  /** Share of these pixels in which any thread held the latch: 0 to 1. */
  heldPart: number;
}

export interface TrackPicture {
  holds: readonly Hold[];
  queue: readonly QueueStep[];
  range: { fromNs: number; toNs: number };
  /** The end of the known time. */
  nowNs: number;
  columns: number;
}

/** How long each thread held the latch within a pixel, in pixels, and in which mode. */
type Column = Map<number, { part: number; mode: HoldMode }>;

/** Returns the runs of holds. Pixels without a holder have no run. */
export function holdRuns({ holds, range, nowNs, columns }: TrackPicture): HoldRun[] {
  const columnNs = (range.toNs - range.fromNs) / columns;
  const heldBy = Array.from({ length: columns }, (): Column => new Map());
  for (const { slot, fromNs, toNs, mode } of holds) {
    if (fromNs > range.toNs) break;
    const from = (Math.max(fromNs, range.fromNs) - range.fromNs) / columnNs;
    const to = (Math.min(toNs ?? nowNs, range.toNs) - range.fromNs) / columnNs;
    for (let column = Math.floor(from); column < to && column < columns; column += 1) {
      const part = Math.min(to, column + 1) - Math.max(from, column);
      const before = heldBy[column]!.get(slot);
      heldBy[column]!.set(slot, { part: (before?.part ?? 0) + part, mode: before?.mode ?? mode });
    }
  }
  return joined(heldBy.flatMap((parts, column) => (parts.size === 0 ? [] : [runOf(parts, column)])));
}

function runOf(parts: Column, column: number): HoldRun {
  const byPart = [...parts].sort(([, a], [, b]) => b.part - a.part);
  const { mode } = byPart[0]![1];
  const shown = mode === 'S' ? byPart.filter(([, one]) => one.mode === 'S') : byPart.slice(0, 1);
  const held = byPart.reduce((sum, [, { part }]) => sum + part, 0);
  return {
    fromPx: column,
    toPx: column + 1,
    slots: shown.slice(0, SHARERS_DRAWN_MAX).map(([slot]) => slot),
    mode,
    heldPart: Math.min(1, held),
  };
}

function joined(pixels: readonly HoldRun[]): HoldRun[] {
  const runs: HoldRun[] = [];
  for (const pixel of pixels) {
    const last = runs.at(-1);
    if (last?.toPx === pixel.fromPx && showsSame(last, pixel)) last.toPx = pixel.toPx;
    else runs.push(pixel);
  }
  return runs;
}

const showsSame = (a: HoldRun, b: HoldRun): boolean =>
  a.mode === b.mode &&
  Math.abs(a.heldPart - b.heldPart) < 1e-6 &&
  a.slots.length === b.slots.length &&
  a.slots.every((slot, i) => slot === b.slots[i]);

/** Returns the maximum number of waiters in each pixel. */
export function queueDepths({ queue, range, nowNs, columns }: Omit<TrackPicture, 'holds'>): Uint16Array {
  const depths = new Uint16Array(columns);
  const columnNs = (range.toNs - range.fromNs) / columns;
  for (const [i, { atNs, depth }] of queue.entries()) {
    if (atNs > range.toNs) break;
    const untilNs = Math.min(queue[i + 1]?.atNs ?? nowNs, range.toNs);
    if (untilNs < range.fromNs || depth === 0) continue;
    const from = Math.floor((Math.max(atNs, range.fromNs) - range.fromNs) / columnNs);
    const to = (untilNs - range.fromNs) / columnNs;
    for (let column = from; (column < to || column === from) && column < columns; column += 1)
      depths[column] = Math.max(depths[column]!, depth);
  }
  return depths;
}

/** Draws the number of waiters, as high as the highest one in a band of the plot. */
export function drawQueue(
  { context, width }: Plot,
  picture: Omit<TrackPicture, 'holds'>,
  topPx: number,
  heightPx: number,
): void {
  const columnPx = width / picture.columns;
  const depths = queueDepths(picture);
  const deepest = depths.reduce((most, depth) => Math.max(most, depth), 1);
  for (const [column, depth] of depths.entries()) {
    const depthPx = (heightPx * depth) / deepest;
    if (depth > 0) context.fillRect(column * columnPx, topPx + heightPx - depthPx, columnPx, depthPx);
  }
}
