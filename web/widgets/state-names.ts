import type { BusyState } from '../contract/time-shares';

/** Names of thread states for the reader. */
export const stateNames: Record<BusyState, string> = {
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
export const stateName = (state: BusyState, isModeled: boolean) =>
  state === 'running' && !isModeled ? 'running, stalled or ready' : stateNames[state];

export const STATES_NOT_KNOWN = 'stalled, ready: unknown here';
