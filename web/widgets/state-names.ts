import type { BusyState } from '../contract/time-shares';

/** What a thread does, in words for the reader. */
export const state_names: Record<BusyState, string> = {
  running: 'running',
  spinning: 'spinning',
  waiting: 'waiting',
  sleeping: 'sleeping',
  io: 'I/O',
};
