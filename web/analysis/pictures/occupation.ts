// Computes the share of time in which a latch is held, or wanted and passing to the next thread.
import type { LatchTrack } from '../../recording/latch-trace';
import type { Names } from '../../engine-client/snapshot';
import type { PhaseFigures } from './phase-figures';

export interface Occupation {
  /** Number of acquisitions within the known time. */
  acquisitions: number;
  /** Share of that time in which a thread held the latch or wanted it. */
  share: number;
}

interface Change {
  atNs: number;
  holders: number;
  depth: number | null;
}

/**
 * Returns the occupation within a part of a run, as far as the latch's events are known; null if no
 * hold is known.
 */
export function occupationOf(
  { holds, queue }: Pick<LatchTrack, 'holds' | 'queue'>,
  { fromNs, untilNs }: Pick<PhaseFigures, 'fromNs' | 'untilNs'>,
): Occupation | null {
  const within = holds.filter((hold) => hold.fromNs >= fromNs && (hold.toNs ?? Infinity) <= untilNs);
  const [first, last] = [within[0], within.at(-1)];
  if (first === undefined || last === undefined) return null;
  const endNs = last.toNs!;
  const changes: Change[] = [
    ...within.flatMap((hold) => [
      { atNs: hold.fromNs, holders: 1, depth: null },
      { atNs: hold.toNs!, holders: -1, depth: null },
    ]),
    ...queue.map(({ atNs, depth }) => ({ atNs, holders: 0, depth })),
  ].sort((a, b) => a.atNs - b.atNs);
  let [holders, depth, occupiedNs, sinceNs] = [0, 0, 0, first.fromNs];
  for (const change of changes) {
    if (change.atNs > endNs) break;
    if (change.atNs > sinceNs) {
      if (holders > 0 || depth > 0) occupiedNs += change.atNs - sinceNs;
      sinceNs = change.atNs;
    }
    holders += change.holders;
    depth = change.depth ?? depth;
  }
  if (endNs <= first.fromNs) return null;
  return { acquisitions: within.length, share: occupiedNs / (endNs - first.fromNs) };
}

/** Returns the watched latch with this name that was acquired most often; null if there is none. */
export function busiestTrack(
  tracks: readonly LatchTrack[],
  latch: string,
  { latchSites, latches }: Names,
): LatchTrack | null {
  const isIt = ({ events }: LatchTrack) =>
    events.some(({ site }) => site >= 0 && latches[latchSites[site]?.latch ?? -1] === latch);
  return tracks.filter(isIt).sort((a, b) => b.holds.length - a.holds.length)[0] ?? null;
}
