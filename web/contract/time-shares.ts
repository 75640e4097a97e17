import { thread_states } from './gen/telemetry-layout';
import type { ThreadState } from '../engine-client/snapshot';
import type { Window } from '../analysis/window';

/** What the time of threads goes to; parked and absent are not part of a run. */
export const busy_states = [
  'running',
  'spinning',
  'waiting',
  'sleeping',
  'io',
] as const satisfies ThreadState[];
export type BusyState = (typeof busy_states)[number];

export type TimeShares = Record<BusyState, number>;

/** Share of looks that found a thread in each state; null if none was looked at. */
export function timeShares(
  { before, after }: Window,
  of: 'client_states' | 'server_states' = 'client_states',
): TimeShares | null {
  const growth = (state: BusyState) => {
    const index = thread_states.indexOf(state);
    return after[of][index]! - before[of][index]!;
  };
  const looks = busy_states.reduce((sum, state) => sum + growth(state), 0);
  if (looks <= 0) return null;
  return Object.fromEntries(busy_states.map((state) => [state, growth(state) / looks])) as TimeShares;
}
