// Names the latches with recorded events.
import type { Names } from '../../engine-client/snapshot';
import type { LatchTrack } from '../../recording/latch-trace';

/** Returns names by latch number, which distinguishes latches of the same name. */
export function latchNames(
  tracks: readonly LatchTrack[],
  { latches, latchSites }: Names,
): ReadonlyMap<number, string> {
  const nameOf = ({ site, latch }: LatchTrack) => latches[latchSites[site]?.latch ?? -1] ?? `latch ${latch}`;
  const names = tracks.map(nameOf);
  return new Map(
    tracks.map((track, i) => {
      const is_one_of_many = names.filter((name) => name === names[i]).length > 1;
      return [track.latch, is_one_of_many ? `${names[i]!} (no. ${track.latch})` : names[i]!];
    }),
  );
}

export const reachesInto = (t_ns: number, { fromNs, toNs }: { fromNs: number; toNs: number }): boolean =>
  t_ns >= fromNs && t_ns <= toNs;
