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
      const isOneOfMany = names.filter((name) => name === names[i]).length > 1;
      return [track.latch, isOneOfMany ? `${names[i]!} (no. ${track.latch})` : names[i]!];
    }),
  );
}

export const reachesInto = (tNs: number, { fromNs, toNs }: { fromNs: number; toNs: number }): boolean =>
  tNs >= fromNs && tNs <= toNs;
