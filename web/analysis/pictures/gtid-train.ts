// Bug #99638: counts the members of a commit group that wait one after another. Finds the time in
// which the GTID is saved but the leader still sleeps.
import type { PhaseFigures } from './phase-figures';

export const KNOB = 'gtid_flush_wait';

/** Measurements under one variant of the wait. */
export interface WaitVariant {
  variant: string;
  /** Time per XA COMMIT; they run one after another. */
  commitNs: number;
  waitsPerCommit: number;
  looksPerWait: number | null;
  membersPerGroup: number | null;
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
      commitNs: (phase.seconds * 1e9) / commits,
      waitsPerCommit: waits / commits,
      looksPerWait: waits === 0 ? null : looks / waits,
      membersPerGroup: groups === 0 ? null : members / groups,
    });
  }
  return [...seen.values()];
}

/** A range of time. */
export interface Stretch {
  fromNs: number;
  toNs: number;
}

export interface WaitTimeline extends Stretch {
  /** The leader of the commit group sleeps between two polls. */
  naps: Stretch[];
  /** The persister works. */
  flushes: Stretch[];
  /** Within a nap, after the last flush: the GTID is saved, but the leader does not poll. */
  unseen: Stretch[];
  napNs: number;
  unseenNs: number;
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
      .map(({ fromNs, toNs }) => ({
        fromNs: Math.max(fromNs, window.fromNs),
        toNs: Math.min(toNs, window.toNs),
      }))
      .filter(({ fromNs, toNs }) => toNs > fromNs)
      .sort((a, b) => a.fromNs - b.fromNs);
  const known = { naps: inOrder(naps), flushes: joined(inOrder(flushes)) };
  const unseen = known.naps.flatMap((nap) => {
    const saved = known.flushes.findLast(({ toNs }) => toNs > nap.fromNs && toNs < nap.toNs);
    const goesOn = known.flushes.some(({ fromNs, toNs }) => fromNs < nap.toNs && toNs >= nap.toNs);
    return saved === undefined || goesOn ? [] : { fromNs: saved.toNs, toNs: nap.toNs };
  });
  if (unseen.length === 0) return null;
  return { ...window, ...known, unseen, napNs: lengthOf(known.naps), unseenNs: lengthOf(unseen) };
}

/** Merges adjacent stretches. */
function joined(stretches: readonly Stretch[]): Stretch[] {
  const joint: Stretch[] = [];
  for (const stretch of stretches) {
    const last = joint.at(-1);
    if (last !== undefined && stretch.fromNs <= last.toNs) last.toNs = Math.max(last.toNs, stretch.toNs);
    else joint.push({ ...stretch });
  }
  return joint;
}

const lengthOf = (stretches: readonly Stretch[]) =>
  stretches.reduce((sum, { fromNs, toNs }) => sum + toNs - fromNs, 0);
