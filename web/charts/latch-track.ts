// Lays out the track of a latch: the holder and the number of waiters in each pixel. Does not need
// a canvas.
import type { HoldMode } from '../recording/latch-state';
import type { Hold, QueueStep } from '../recording/latch-trace';

/** Maximum number of shared holders with a stripe each. */
export const SHARERS_DRAWN_MAX = 4;

/** Adjacent pixels with the same content. */
export interface HoldRun {
  from_px: number;
  to_px: number;
  /**
   * The thread that held the latch for most of the time, or the threads that shared it, longest
   * first.
   */
  slots: number[];
  /** S means shared. */
  mode: HoldMode;
  /** Share of these pixels in which any thread held the latch: 0 to 1. */
  held_part: number;
}

export interface TrackPicture {
  holds: readonly Hold[];
  queue: readonly QueueStep[];
  range: { fromNs: number; toNs: number };
  /** The end of the known time. */
  now_ns: number;
  columns: number;
}

/** How long each thread held the latch within a pixel, in pixels, and in which mode. */
type Column = Map<number, { part: number; mode: HoldMode }>;

/** Returns the runs of holds. Pixels without a holder have no run. */
export function holdRuns({ holds, range, now_ns, columns }: TrackPicture): HoldRun[] {
  const column_ns = (range.toNs - range.fromNs) / columns;
  const held_by = Array.from({ length: columns }, (): Column => new Map());
  for (const { slot, fromNs, toNs, mode } of holds) {
    if (fromNs > range.toNs) break;
    const from = (Math.max(fromNs, range.fromNs) - range.fromNs) / column_ns;
    const to = (Math.min(toNs ?? now_ns, range.toNs) - range.fromNs) / column_ns;
    for (let column = Math.floor(from); column < to && column < columns; column += 1) {
      const part = Math.min(to, column + 1) - Math.max(from, column);
      const before = held_by[column]!.get(slot);
      held_by[column]!.set(slot, { part: (before?.part ?? 0) + part, mode: before?.mode ?? mode });
    }
  }
  return joined(held_by.flatMap((parts, column) => (parts.size === 0 ? [] : [runOf(parts, column)])));
}

function runOf(parts: Column, column: number): HoldRun {
  const by_part = [...parts].sort(([, a], [, b]) => b.part - a.part);
  const { mode } = by_part[0]![1];
  const shown = mode === 'S' ? by_part.filter(([, one]) => one.mode === 'S') : by_part.slice(0, 1);
  const held = by_part.reduce((sum, [, { part }]) => sum + part, 0);
  return {
    from_px: column,
    to_px: column + 1,
    slots: shown.slice(0, SHARERS_DRAWN_MAX).map(([slot]) => slot),
    mode,
    held_part: Math.min(1, held),
  };
}

function joined(pixels: readonly HoldRun[]): HoldRun[] {
  const runs: HoldRun[] = [];
  for (const pixel of pixels) {
    const last = runs.at(-1);
    if (last?.to_px === pixel.from_px && showsSame(last, pixel)) last.to_px = pixel.to_px;
    else runs.push(pixel);
  }
  return runs;
}

const showsSame = (a: HoldRun, b: HoldRun): boolean =>
  a.mode === b.mode &&
  Math.abs(a.held_part - b.held_part) < 1e-6 &&
  a.slots.length === b.slots.length &&
  a.slots.every((slot, i) => slot === b.slots[i]);

/** Returns the maximum number of waiters in each pixel. */
export function queueDepths({ queue, range, now_ns, columns }: TrackPicture): Uint16Array {
  const depths = new Uint16Array(columns);
  const column_ns = (range.toNs - range.fromNs) / columns;
  for (const [i, { atNs, depth }] of queue.entries()) {
    if (atNs > range.toNs) break;
    const until_ns = Math.min(queue[i + 1]?.atNs ?? now_ns, range.toNs);
    if (until_ns < range.fromNs || depth === 0) continue;
    const from = Math.floor((Math.max(atNs, range.fromNs) - range.fromNs) / column_ns);
    const to = (until_ns - range.fromNs) / column_ns;
    for (let column = from; (column < to || column === from) && column < columns; column += 1)
      depths[column] = Math.max(depths[column]!, depth);
  }
  return depths;
}
