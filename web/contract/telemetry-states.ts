// Defines states and waits by the engine's names, and the records of a run: marks, events of watched
// latches, and segments of the lanes.
import type { long_waits, mark_kinds, run_states, thread_states } from './gen/telemetry-layout.ts';
import type { latch_event_kinds } from './gen/telemetry-layout';

export type RunState = (typeof run_states)[number];

export type ThreadState = (typeof thread_states)[number];

export type LongWaitKind = (typeof long_waits)[number];

export type MarkKind = (typeof mark_kinds)[number];

/** An event of a run: a turned knob, an executed action, paused clients. */
export interface Mark {
  /** Counts the marks of a run, from 0. */
  number: number;
  run_ns: number;
  kind: MarkKind;
  subject: number;
  value: number;
  /** How long the clients were stopped for it, in microseconds. */
  stopped_us: number;
  /**
   * Run time of the corresponding timed action. A run whose spec has this action runs identically.
   */
  step_ns: number;
  /** The run spec did not contain it at the start. */
  is_by_hand: boolean;
}

export type LatchEventKind = (typeof latch_event_kinds)[number];

/**
 * An event of a watched latch, as the engine reports it (wasm-engine/telemetry/latch_trace.h).
 * Times are run time.
 */
export interface LatchEvent {
  /** When it took effect; includes fractions of a nanosecond. */
  at_ns: number;
  kind: LatchEventKind;
  /** Number of the latch. */
  latch: number;
  /** The thread. */
  slot: number;
  /** For `wants` and `gets`: index into `Names.latch_sites`; otherwise -1. */
  site: number;
  /** For an access to the latch's cache line, otherwise null. */
  access: LineAccess | null;
}

/** An access to a word on a latch's cache line. */
export interface LineAccess {
  /** From its issue to its effect. */
  took_ns: number;
  core: number;
  /** The core that had the line exclusively before; null if none had. */
  from_core: number | null;
  /** Index into `latch_classes`. */
  latch_class: number;
  /** Line of the latch: always 0 except for a lab latch (lab_line_element_bits). */
  line: number;
  /** Word on the line; for a known class, index into its words. */
  word: number;
  /** The word after the access: 32 bits, unsigned. */
  value: number;
}

/** One activity of one thread. Times are run time. */
export interface LaneSegment {
  from_ns: number;
  to_ns: number;
  slot: number;
  /** Index into `thread_states`. */
  state: number;
  /** The core on which it ran throughout; -1 if on none, or if it left the core. */
  core: number;
  /** Index into `Names.latch_sites` while it spins, waits or follows, otherwise -1. */
  site: number;
  /** Distinguishes latches of one name. */
  latch: number;
  /**
   * Slot of a thread that held that latch at the start of the segment; -1 if the engine saw none.
   */
  holder: number;
  /** Site at which that thread acquired it, an index into `Names.latch_sites`, otherwise -1. */
  holder_site: number;
}
