import type { thread_states } from './gen/telemetry-layout.ts';

type ThreadState = (typeof thread_states)[number];

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
