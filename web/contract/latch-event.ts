import type { latch_event_kinds } from './gen/telemetry-layout';

export type LatchEventKind = (typeof latch_event_kinds)[number];

/** What happened at a watched latch, as the engine told it (wasm-engine/telemetry/latch_trace.h). Times are run time. */
export interface LatchEvent {
  /** When it took effect; parts of a nanosecond count. */
  at_ns: number;
  kind: LatchEventKind;
  /** Number of the latch. */
  latch: number;
  /** The thread. */
  slot: number;
  /** Of wants and gets: index into `Names.latch_sites`; else -1. */
  site: number;
  /** Of an access to the latch's cache line, else null. */
  access: LineAccess | null;
}

/** An access to a word on a latch's cache line. */
export interface LineAccess {
  /** From its issue to its effect. */
  took_ns: number;
  core: number;
  /** The core that alone had the line, changed, before; null if none had. */
  from_core: number | null;
  /** Index into `latch_classes`. */
  latch_class: number;
  /** Which line of the latch: 0, but for a latch of the lab (lab_line_element_bits). */
  line: number;
  /** Which word on the line; of a class, its words. */
  word: number;
  /** The word, after it: 32 bits, without a sign. */
  value: number;
}
