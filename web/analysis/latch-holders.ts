// Finds the threads that held a latch at a moment or within a span.
import type { Hold } from '../recording/latch-trace';

/** Returns the holds at a moment. */
export const holdsAt = (holds: readonly Hold[], at_ns: number): Hold[] =>
  holdsWithin(holds, at_ns, at_ns).filter(({ toNs }) => toNs === null || toNs > at_ns);

/** Returns the holds that overlap a span. REQUIRES: `holds` sorted by `from_ns`. */
export function holdsWithin(holds: readonly Hold[], from_ns: number, to_ns: number): Hold[] {
  const within: Hold[] = [];
  for (const hold of holds) {
    if (hold.fromNs > to_ns) break;
    if ((hold.toNs ?? Number.POSITIVE_INFINITY) >= from_ns) within.push(hold);
  }
  return within;
}

/** Returns how long each thread held the latch within a span, by slot. */
export function heldBySlot(
  holds: readonly Hold[],
  { from_ns, to_ns }: { from_ns: number; to_ns: number },
): Map<number, number> {
  const held = new Map<number, number>();
  for (const hold of holdsWithin(holds, from_ns, to_ns)) {
    const lasted_ns = Math.min(hold.toNs ?? to_ns, to_ns) - Math.max(hold.fromNs, from_ns);
    held.set(hold.slot, (held.get(hold.slot) ?? 0) + lasted_ns);
  }
  return held;
}

/** Returns how many threads want the latch at a moment. */
export function depthAt(queue: readonly { atNs: number; depth: number }[], at_ns: number): number {
  return queue.findLast((step) => step.atNs <= at_ns)?.depth ?? 0;
}
