// Computes the path of one transaction's wait chain through the thread lanes. It covers the
// transaction's own thread and the threads that its waits depend on.
import { thread_states } from '../contract/gen/telemetry-layout';
import type { Explanation, ExplainedPart } from '../contract/explanation';

/** One activity of one thread of the chain. Times are run time. */
export interface PathSegment {
  slot: number;
  from_ns: number;
  to_ns: number;
  /** Index into `thread_states`. */
  state: number;
  /** 0: the transaction's own thread; 1: the thread it waits for; and so on. */
  depth: number;
  /** The thread that waits for this one; null for the transaction's own thread. */
  behind_slot: number | null;
  /** The chain ends here: every wait before this segment depends on it. */
  is_end: boolean;
}

/** A part of the transaction, in run time. */
export interface PathPart {
  from_ns: number;
  to_ns: number;
}

export interface ChainPath {
  /** The thread that runs the transaction. */
  slot: number;
  from_ns: number;
  to_ns: number;
  /** Sorted by start time. */
  segments: readonly PathSegment[];
  /** The transaction's own thread first, then the others, longest total time on the chain first. */
  slots: readonly number[];
}

const PS_PER_NS = 1000;

export function chainPath({ transaction }: Pick<Explanation, 'transaction'>): ChainPath {
  const { slot, began_run_ps, latency_ps, parts } = transaction;
  const segments: PathSegment[] = [];
  addParts(parts, { slot, depth: 0, behind_slot: null }, began_run_ps, segments);
  segments.sort((a, b) => a.from_ns - b.from_ns || a.depth - b.depth);
  return {
    slot,
    from_ns: began_run_ps / PS_PER_NS,
    to_ns: (began_run_ps + latency_ps) / PS_PER_NS,
    segments,
    slots: slotsOf(slot, segments),
  };
}

/** Converts a part whose times count from the start of the transaction to run time. */
export const pathPart = (
  { from_ps, ps }: { from_ps: number; ps: number },
  began_run_ps: number,
): PathPart => ({
  from_ns: (began_run_ps + from_ps) / PS_PER_NS,
  to_ns: (began_run_ps + from_ps + ps) / PS_PER_NS,
});

type Doer = Pick<PathSegment, 'slot' | 'depth' | 'behind_slot'>;

function addParts(
  parts: readonly ExplainedPart[],
  doer: Doer,
  began_run_ps: number,
  segments: PathSegment[],
): void {
  for (const { from_ps, ps, state, chain = [], holder } of parts) {
    const has_chain = holder !== undefined && chain.length > 0;
    segments.push({
      ...doer,
      ...pathPart({ from_ps, ps }, began_run_ps),
      state: thread_states.indexOf(state),
      is_end: !has_chain,
    });
    if (!has_chain) continue;
    const next = { slot: holder.slot, depth: doer.depth + 1, behind_slot: doer.slot };
    addParts(chain, next, began_run_ps, segments);
  }
}

function slotsOf(own: number, segments: readonly PathSegment[]): number[] {
  const times = new Map<number, number>();
  for (const { slot, from_ns, to_ns } of segments) times.set(slot, (times.get(slot) ?? 0) + to_ns - from_ns);
  times.delete(own);
  return [own, ...[...times].sort(([a, a_ns], [b, b_ns]) => b_ns - a_ns || a - b).map(([slot]) => slot)];
}
