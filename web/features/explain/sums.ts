// Adds up the times of an explanation.
import type { ExplainedPart } from '../../contract/explanation';
import { busy_states, type BusyState } from '../../contract/time-shares';

export const sumOf = (parts: readonly { ps: number }[]): number => parts.reduce((sum, { ps }) => sum + ps, 0);

/** Returns how long the transaction was in each state, in the page's order of states. */
export function byState(parts: readonly ExplainedPart[]): { state: BusyState; ps: number }[] {
  return busy_states
    .map((state) => ({ state, ps: sumOf(parts.filter((part) => part.state === state)) }))
    .filter(({ ps }) => ps > 0);
}
