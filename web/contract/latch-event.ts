// Defines the events of watched latches.
import type { latch_event_kinds } from './gen/telemetry-layout';

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
