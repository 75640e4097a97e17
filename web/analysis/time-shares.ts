import { thread_states } from '../contract/gen/telemetry-layout';
import { busy_states, timeSharesOf, type BusyState, type TimeShares } from '../contract/time-shares';
import type { Window } from './window';

/** Returns the share of samples, or of time, in each thread state; null if there are none. */
export function timeShares(
  { before, after }: Window,
  of: 'clientStates' | 'serverStates' = 'clientStates',
): TimeShares | null {
  const growth = (state: BusyState) => {
    const index = thread_states.indexOf(state);
    return after[of][index]! - before[of][index]!;
  };
  const known = busy_states.filter((state) => !Number.isNaN(growth(state)));
  const total = known.reduce((sum, state) => sum + growth(state), 0);
  if (total <= 0) return null;
  return timeSharesOf(Object.fromEntries(known.map((state) => [state, growth(state) / total])));
}
