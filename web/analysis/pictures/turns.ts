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
  at_ns: number;
  holders: number;
  depth: number | null;
}

/**
 * Returns the occupation within a part of a run, as far as the latch's events are known; null if no
 * hold is known.
 */
export function occupationOf(
  { holds, queue }: Pick<LatchTrack, 'holds' | 'queue'>,
  { from_ns, until_ns }: Pick<PhaseFigures, 'from_ns' | 'until_ns'>,
): Occupation | null {
  const within = holds.filter((hold) => hold.fromNs >= from_ns && (hold.toNs ?? Infinity) <= until_ns);
  const [first, last] = [within[0], within.at(-1)];
  if (first === undefined || last === undefined) return null;
  const end_ns = last.toNs!;
  const changes: Change[] = [
    ...within.flatMap((hold) => [
      { at_ns: hold.fromNs, holders: 1, depth: null },
      { at_ns: hold.toNs!, holders: -1, depth: null },
    ]),
    ...queue.map(({ atNs, depth }) => ({ at_ns: atNs, holders: 0, depth })),
  ].sort((a, b) => a.at_ns - b.at_ns);
  let [holders, depth, occupied_ns, since_ns] = [0, 0, 0, first.fromNs];
  for (const change of changes) {
    if (change.at_ns > end_ns) break;
    if (change.at_ns > since_ns) {
      if (holders > 0 || depth > 0) occupied_ns += change.at_ns - since_ns;
      since_ns = change.at_ns;
    }
    holders += change.holders;
    depth = change.depth ?? depth;
  }
  if (end_ns <= first.fromNs) return null;
  return { acquisitions: within.length, share: occupied_ns / (end_ns - first.fromNs) };
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
