// Sorts thread lanes.
import { thread_states } from '../contract/gen/telemetry-layout';
import type { Names, RunThread } from '../engine-client/snapshot';
import type { LaneHistory } from '../recording/lane-history';
import { threadName } from './lane-words';

export const all_lane_orders = ['wait', 'holder', 'name'] as const;
export type LaneOrder = (typeof all_lane_orders)[number];

/** How long each thread waited, and how long it held a watched latch, by slot. */
export interface ThreadTimes {
  waited_ns: ReadonlyMap<number, number>;
  held_ns: ReadonlyMap<number, number>;
}

/**
 * Sorts lanes by name, by wait time, or by hold time of watched latches, longest first. Server
 * threads that waited or held one come before all clients, the other server threads after them.
 */
export function inLaneOrder(
  threads: readonly RunThread[],
  names: Names,
  order: LaneOrder,
  { waited_ns, held_ns }: ThreadTimes,
): RunThread[] {
  const figures = { wait: waited_ns, holder: held_ns, name: no_figures }[order];
  const figureOf = ({ slot }: RunThread) => figures.get(slot) ?? 0;
  const rankOf = ({ isClient, slot }: RunThread) => {
    if (isClient) return 1;
    return waited_ns.has(slot) || held_ns.has(slot) ? 0 : 2;
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

const no_figures: ReadonlyMap<number, number> = new Map();
const waits = (['waiting', 'spinning', 'following'] as const).map((state) => thread_states.indexOf(state));

/** Returns how long each thread spun, waited or followed a leader within a window. */
export function waitedBySlot(
  lanes: LaneHistory,
  window: { from_ns: number; to_ns: number },
): Map<number, number> {
  const waited_ns = new Map<number, number>();
  lanes.visitSince(window.from_ns, ({ slot, state, from_ns, to_ns }) => {
    if (!waits.includes(state) || from_ns >= window.to_ns) return;
    const part_ns = Math.min(to_ns, window.to_ns) - Math.max(from_ns, window.from_ns);
    waited_ns.set(slot, (waited_ns.get(slot) ?? 0) + part_ns);
  });
  return waited_ns;
}
