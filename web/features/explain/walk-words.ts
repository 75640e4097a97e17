// Describes a part of a transaction in words: its duration, a thread's activity, and its causes.
import { formatDurationNs, formatWhole } from '../../analysis/format';
import type { Activity, StoodBehind, WalkPart } from '../../analysis/chain-walk';
import type { BusyState } from '../../contract/time-shares';
import { stateNames } from '../../widgets/state-names';

const PS_PER_NS = 1000;

export const durationOf = ({ ps }: { ps: number }) => formatDurationNs(ps / PS_PER_NS);

/** Formats picoseconds like the command line, such as 574,152.343600 µs. */
export const formatExact = (ps: number): string =>
  `${formatWhole(Math.floor(ps / 1e6))}.${String(ps % 1e6).padStart(6, '0')} µs`;

const stateName = (state: string) => stateNames[state as BusyState];

/** For a wait, returns the longest state and the latch; otherwise returns all states. */
export function activityInWords({ states, latch, place, behind }: Activity): string {
  if (behind[0]?.by === 'earlier') return 'waiting for a client';
  if (latch !== null) return `${stateName(states[0]!.state)}: ${latch} in ${place ?? 'an unknown function'}`;
  const all = states.map(({ state }) => stateName(state)).join(' and ');
  if (place === null) return all;
  return all.includes(',') ? `${all}, in ${place}` : `${all} in ${place}`;
}

export const timesInWords = ({ times }: Activity) =>
  times === null || times === 1 ? '' : `${formatWhole(times)} times`;

export function behindInWords({ by, thread, threads, gotIn }: StoodBehind): string {
  const who = threads === 1 ? (thread ?? 'a thread') : `${formatWhole(threads)} threads in turn`;
  switch (by) {
    case 'holder':
      return `held by ${who}${gotIn === null ? '' : `, acquired in ${gotIn}`}`;
    case 'leader':
      return `led by ${who}`;
    case 'waker':
      return `woken by ${who}`;
    case 'timer':
      return 'woken by its timer';
    case 'nobody':
      return 'free, in hand-off';
    case 'unknown':
      return 'before the recording';
    case 'earlier':
      return `no client was free: ${who} served earlier requests`;
  }
}

export function partInWords(walk: readonly WalkPart[], part: number): string {
  const shown = walk[part]!;
  return `Part ${part + 1} of ${walk.length}: ${activityInWords(shown)}, ${durationOf(shown)}`;
}
