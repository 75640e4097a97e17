// Defines states, waits and marks by the engine's names.
import type { long_waits, mark_kinds, run_states, thread_states } from './gen/telemetry-layout.ts';

export type RunState = (typeof run_states)[number];

export type ThreadState = (typeof thread_states)[number];

export type LongWaitKind = (typeof long_waits)[number];

export type MarkKind = (typeof mark_kinds)[number];
