import type { ThreadState } from './telemetry-states.ts';

/** What the time of threads goes to; parked and absent are not part of a run. */
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

/** What only a modelled server can tell. On real threads it is part of what threads say they are at, mostly of running. */
const modelled_states: readonly BusyState[] = ['stalled', 'ready'];

export const isKnownState = (state: BusyState, is_modelled: boolean) =>
  is_modelled || !modelled_states.includes(state);

/** The states that can be told apart. */
export const knownStates = (is_modelled: boolean): BusyState[] =>
  busy_states.filter((state) => isKnownState(state, is_modelled));

/** Null: not known on this machine. */
export type TimeShares = Record<BusyState, number | null>;

/** As a run result has them; it leaves out what was not known. */
export const timeSharesOf = (shares: Partial<Record<BusyState, number | undefined>>): TimeShares =>
  Object.fromEntries(busy_states.map((state) => [state, shares[state] ?? null])) as TimeShares;
