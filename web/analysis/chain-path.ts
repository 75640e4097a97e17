// Computes the path of one transaction's wait chain through the thread lanes. It covers the
// transaction's own thread and the threads that its waits depend on.
import { thread_states } from '../contract/gen/telemetry-layout';
import type { Explanation, ExplainedPart } from '../contract/explanation';

/** One activity of one thread of the chain. Times are run time. */
export interface PathSegment {
  slot: number;
  fromNs: number;
  toNs: number;
  /** Index into `thread_states`. */
  state: number;
  /** 0: the transaction's own thread; 1: the thread it waits for; and so on. */
  depth: number;
  /** The thread that waits for this one; null for the transaction's own thread. */
  behindSlot: number | null;
  /** The chain ends here: every wait before this segment depends on it. */
  isEnd: boolean;
}

/** A part of the transaction, in run time. */
export interface PathPart {
  fromNs: number;
  toNs: number;
}

export interface ChainPath {
  /** The thread that runs the transaction. */
  slot: number;
  fromNs: number;
  toNs: number;
  /** Sorted by start time. */
  segments: readonly PathSegment[];
  /** The transaction's own thread first, then the others, longest total time on the chain first. */
  slots: readonly number[];
}

const PS_PER_NS = 1000;

export function chainPath({ transaction }: Pick<Explanation, 'transaction'>): ChainPath {
  const { slot, began_run_ps, latency_ps, parts } = transaction;
  const segments: PathSegment[] = [];
  addParts(parts, { slot, depth: 0, behindSlot: null }, began_run_ps, segments);
  segments.sort((a, b) => a.fromNs - b.fromNs || a.depth - b.depth);
  return {
    slot,
    fromNs: began_run_ps / PS_PER_NS,
    toNs: (began_run_ps + latency_ps) / PS_PER_NS,
    segments,
    slots: slotsOf(slot, segments),
  };
}

/** Converts a part whose times count from the start of the transaction to run time. */
export const pathPart = ({ fromPs, ps }: { fromPs: number; ps: number }, beganRunPs: number): PathPart => ({
  fromNs: (beganRunPs + fromPs) / PS_PER_NS,
  toNs: (beganRunPs + fromPs + ps) / PS_PER_NS,
});

type Doer = Pick<PathSegment, 'slot' | 'depth' | 'behindSlot'>;

function addParts(
  parts: readonly ExplainedPart[],
  doer: Doer,
  beganRunPs: number,
  segments: PathSegment[],
): void {
  for (const { from_ps, ps, state, chain = [], holder, behind } of parts) {
    const hasChain = holder !== undefined && chain.length > 0;
    if (hasChain && behind === 'earlier') {
      // The client's own lane shows what it did before the transaction.
      addParts(chain, doer, beganRunPs, segments);
      continue;
    }
    segments.push({
      ...doer,
      ...pathPart({ fromPs: from_ps, ps }, beganRunPs),
      state: thread_states.indexOf(state),
      isEnd: !hasChain,
    });
    if (!hasChain) continue;
    const next = { slot: holder.slot, depth: doer.depth + 1, behindSlot: doer.slot };
    addParts(chain, next, beganRunPs, segments);
  }
}

function slotsOf(own: number, segments: readonly PathSegment[]): number[] {
  const times = new Map<number, number>();
  for (const { slot, fromNs, toNs } of segments) times.set(slot, (times.get(slot) ?? 0) + toNs - fromNs);
  times.delete(own);
  return [own, ...[...times].sort(([a, aNs], [b, bNs]) => bNs - aNs || a - b).map(([slot]) => slot)];
}
