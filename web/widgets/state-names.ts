import type { BusyState } from '../contract/time-shares';

/** What a thread does, in words for the reader. */
export const state_names: Record<BusyState, string> = {
  running: 'running',
  stalled: 'stalled',
  spinning: 'spinning',
  waiting: 'waiting',
  following: 'in a commit group',
  ready: 'ready, no core',
  sleeping: 'sleeping',
  io: 'I/O',
};

/** Of real threads nobody knows whether one that says it runs stands still for a cache line, or waits for a core. */
export const stateName = (state: BusyState, is_modelled: boolean) =>
  state === 'running' && !is_modelled ? 'running, stalled or ready' : state_names[state];

export const states_not_known = 'stalled, ready: unknown here';
