// Finds the threads that held a latch at a moment or within a span.
import type { Hold } from '../recording/latch-trace';

/** Returns the holds at a moment. */
export const holdsAt = (holds: readonly Hold[], atNs: number): Hold[] =>
  holdsWithin(holds, atNs, atNs).filter(({ toNs }) => toNs === null || toNs > atNs);

/** Returns the holds that overlap a span. REQUIRES: `holds` sorted by `from_ns`. */
export function holdsWithin(holds: readonly Hold[], fromNs: number, toNs: number): Hold[] {
  const within: Hold[] = [];
  for (const hold of holds) {
    if (hold.fromNs > toNs) break;
    if ((hold.toNs ?? Number.POSITIVE_INFINITY) >= fromNs) within.push(hold);
  }
  return within;
}

/** Returns how long each thread held the latch within a span, by slot. */
export function heldBySlot(
  holds: readonly Hold[],
  { fromNs, toNs }: { fromNs: number; toNs: number },
): Map<number, number> {
  const held = new Map<number, number>();
  for (const hold of holdsWithin(holds, fromNs, toNs)) {
    const lastedNs = Math.min(hold.toNs ?? toNs, toNs) - Math.max(hold.fromNs, fromNs);
    held.set(hold.slot, (held.get(hold.slot) ?? 0) + lastedNs);
  }
  return held;
}

/** Returns how many threads want the latch at a moment. */
export function depthAt(queue: readonly { atNs: number; depth: number }[], atNs: number): number {
  return queue.findLast((step) => step.atNs <= atNs)?.depth ?? 0;
}
