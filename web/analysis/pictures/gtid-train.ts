// Bug #99638: the members of a commit group that wait one after the other, and the time in which the GTID was saved and nobody looked.
import type { PhaseFigures } from './phase-figures';

export const KNOB = 'gtid_flush_wait';

/** What one variant of the wait has measured. */
export interface WaitVariant {
  variant: string;
  /** Time for each XA COMMIT: they come one after the other. */
  commit_ns: number;
  waits_per_commit: number;
  looks_per_wait: number | null;
  members_per_group: number | null;
}

/** The latest part of the run under each variant that has ended an XA COMMIT, in the order of the run. */
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

/** What a thread did from when to when. */
export interface Stretch {
  from_ns: number;
  to_ns: number;
}

export interface WaitTimeline extends Stretch {
  /** The leader of the commit group, asleep between two looks. */
  naps: Stretch[];
  /** The persister, at work. */
  flushes: Stretch[];
  /** In a nap, after the last flush: what is waited for is saved, and nobody looks. */
  unseen: Stretch[];
  nap_ns: number;
  unseen_ns: number;
}

/** Spans of the leader and of the persister within a part of a run; null where there is no nap in which a flush ended. */
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

/** Stretches that touch are one. */
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
