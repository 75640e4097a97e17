import { thread_states } from '../contract/gen/telemetry-layout';
import { busy_states, type BusyState, type TimeShares } from '../contract/time-shares';
import type { Window } from './window';

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
