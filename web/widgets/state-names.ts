import type { BusyState } from '../contract/time-shares';

/** Names of thread states for the reader. */
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

/** On real threads, a running thread may in fact stall for a cache line or wait for a core. */
export const stateName = (state: BusyState, is_modelled: boolean) =>
  state === 'running' && !is_modelled ? 'running, stalled or ready' : state_names[state];

export const states_not_known = 'stalled, ready: unknown here';
