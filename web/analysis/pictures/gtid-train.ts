// Bug #99638: counts the members of a commit group that wait one after another. Finds the time in
// which the GTID is saved but the leader still sleeps.
import type { PhaseFigures } from './phase-figures';

export const KNOB = 'gtid_flush_wait';

/** Measurements under one variant of the wait. */
export interface WaitVariant {
  variant: string;
  /** Time per XA COMMIT; they run one after another. */
  commit_ns: number;
  waits_per_commit: number;
  looks_per_wait: number | null;
  members_per_group: number | null;
}

/**
 * Returns the latest part of the run under each variant in which an XA COMMIT ended, in run order.
 */
export function waitVariants(phases: readonly PhaseFigures[]): WaitVariant[] {
  const seen = new Map<string, WaitVariant>();
  for (const phase of phases) {
    const commits = phase.count('xa_commits');
    if (commits === 0) continue;
    const [waits, looks] = [phase.count('gtid_flush_waits'), phase.count('gtid_wait_polls')];
    const [members, groups] = [phase.count('commits'), phase.count('commit_groups')];
    const variant = phase.design[KNOB]!;
    seen.delete(variant);
    seen.set(variant, {
      variant,
      commit_ns: (phase.seconds * 1e9) / commits,
      waits_per_commit: waits / commits,
      looks_per_wait: waits === 0 ? null : looks / waits,
      members_per_group: groups === 0 ? null : members / groups,
    });
  }
  return [...seen.values()];
}

/** A range of time. */
export interface Stretch {
  from_ns: number;
  to_ns: number;
}

export interface WaitTimeline extends Stretch {
  /** The leader of the commit group sleeps between two polls. */
  naps: Stretch[];
  /** The persister works. */
  flushes: Stretch[];
  /** Within a nap, after the last flush: the GTID is saved, but the leader does not poll. */
  unseen: Stretch[];
  nap_ns: number;
  unseen_ns: number;
}

/**
 * Returns the leader's and the persister's spans within a part of a run; null if no flush ended
 * during a nap.
 */
export function waitTimeline(
  window: Stretch,
  naps: readonly Stretch[],
  flushes: readonly Stretch[],
): WaitTimeline | null {
  const inOrder = (stretches: readonly Stretch[]) =>
    stretches
      .map(({ from_ns, to_ns }) => ({
        from_ns: Math.max(from_ns, window.from_ns),
        to_ns: Math.min(to_ns, window.to_ns),
      }))
      .filter(({ from_ns, to_ns }) => to_ns > from_ns)
      .sort((a, b) => a.from_ns - b.from_ns);
  const known = { naps: inOrder(naps), flushes: joined(inOrder(flushes)) };
  const unseen = known.naps.flatMap((nap) => {
    const saved = known.flushes.findLast(({ to_ns }) => to_ns > nap.from_ns && to_ns < nap.to_ns);
    const goes_on = known.flushes.some(({ from_ns, to_ns }) => from_ns < nap.to_ns && to_ns >= nap.to_ns);
    return saved === undefined || goes_on ? [] : { from_ns: saved.to_ns, to_ns: nap.to_ns };
  });
  if (unseen.length === 0) return null;
  return { ...window, ...known, unseen, nap_ns: lengthOf(known.naps), unseen_ns: lengthOf(unseen) };
}

/** Merges adjacent stretches. */
function joined(stretches: readonly Stretch[]): Stretch[] {
  const joint: Stretch[] = [];
  for (const stretch of stretches) {
    const last = joint.at(-1);
    if (last !== undefined && stretch.from_ns <= last.to_ns) last.to_ns = Math.max(last.to_ns, stretch.to_ns);
    else joint.push({ ...stretch });
  }
  return joint;
}

const lengthOf = (stretches: readonly Stretch[]) =>
  stretches.reduce((sum, { from_ns, to_ns }) => sum + to_ns - from_ns, 0);
