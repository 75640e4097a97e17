import type { ThreadState } from './telemetry-states.ts';

/** The states that threads spend time in; parked and absent are not part of a run. */
export const busy_states = [
  'running',
  'stalled',
  'spinning',
  'waiting',
  'following',
  'ready',
  'sleeping',
  'io',
] as const satisfies ThreadState[];
export type BusyState = (typeof busy_states)[number];

/**
 * States that only a modeled server can measure. On real threads their time counts as other
 * states, mostly as running.
 */
const modeled_states: readonly BusyState[] = ['stalled', 'ready'];

export const isKnownState = (state: BusyState, is_modeled: boolean) =>
  is_modeled || !modeled_states.includes(state);

/** Returns the states that are measured. */
export const knownStates = (is_modeled: boolean): BusyState[] =>
  busy_states.filter((state) => isKnownState(state, is_modeled));

/** null: unknown on this machine. */
export type TimeShares = Record<BusyState, number | null>;

/** Converts the shares of a run result, which omits unknown ones. */
export const timeSharesOf = (shares: Partial<Record<BusyState, number | undefined>>): TimeShares =>
  Object.fromEntries(busy_states.map((state) => [state, shares[state] ?? null])) as TimeShares;
