// Sorts thread lanes.
import { thread_states } from '../contract/gen/telemetry-layout';
import type { Names, RunThread } from '../engine-client/snapshot';
import type { LaneHistory } from '../recording/lane-history';
import { threadName } from './lane-words';

export const allLaneOrders = ['wait', 'holder', 'name'] as const;
export type LaneOrder = (typeof allLaneOrders)[number];

/** How long each thread waited, and how long it held a watched latch, by slot. */
interface ThreadTimes {
  waitedNs: ReadonlyMap<number, number>;
  heldNs: ReadonlyMap<number, number>;
}

/**
 * Sorts lanes by name, by wait time, or by hold time of watched latches, longest first. Server
 * threads that waited or held one come before all clients, the other server threads after them.
 */
export function inLaneOrder(
  threads: readonly RunThread[],
  names: Names,
  order: LaneOrder,
  { waitedNs, heldNs }: ThreadTimes,
): RunThread[] {
  const figures = { wait: waitedNs, holder: heldNs, name: noFigures }[order];
  const figureOf = ({ slot }: RunThread) => figures.get(slot) ?? 0;
  const rankOf = ({ isClient, slot }: RunThread) => {
    if (isClient) return 1;
    return waitedNs.has(slot) || heldNs.has(slot) ? 0 : 2;
  };
  const nameOf = (thread: RunThread) => (thread.isClient ? '' : threadName(thread, names));
  return [...threads].sort(
    (a, b) =>
      rankOf(a) - rankOf(b) ||
      figureOf(b) - figureOf(a) ||
      nameOf(a).localeCompare(nameOf(b), 'en') ||
      a.slot - b.slot,
  );
}

const noFigures: ReadonlyMap<number, number> = new Map();
const waits = (['waiting', 'spinning', 'following'] as const).map((state) => thread_states.indexOf(state));

/** Returns how long each thread spun, waited or followed a leader within a window. */
export function waitedBySlot(
  lanes: LaneHistory,
  window: { fromNs: number; toNs: number },
): Map<number, number> {
  const waitedNs = new Map<number, number>();
  lanes.visitSince(window.fromNs, ({ slot, state, from_ns, to_ns }) => {
    if (!waits.includes(state) || from_ns >= window.toNs) return;
    const partNs = Math.min(to_ns, window.toNs) - Math.max(from_ns, window.fromNs);
    waitedNs.set(slot, (waitedNs.get(slot) ?? 0) + partNs);
  });
  return waitedNs;
}
