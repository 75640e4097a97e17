import type { LongWaitKind, RunState, ThreadState } from '../contract/telemetry-states';
import type { Outcome } from '../contract/gen/engine-abi';
import { counters, histogram, layout, thread_states } from '../contract/gen/telemetry-layout';

export type CounterName = (typeof counters)[number]['name'];
export type LatchSiteField = keyof typeof layout.thread_latch_sites.fields;

/** Fields of one latch site, in the order in which `Snapshot.latch_sites` holds them. */
export const latch_site_fields = Object.keys(layout.thread_latch_sites.fields) as LatchSiteField[];

/**
 * All totals of the telemetry block at one moment, summed over threads. Two snapshots of one run generation make a
 * window; every number on the page is a difference between the two. Buffers are reused, so keep none of them.
 */
export interface Snapshot {
  run_generation: number;
  /** Run time: nanoseconds since the clients were let go, pauses left out. */
  run_ns: number;
  /** The page's clock when the totals were read, milliseconds. */
  read_at_ms: number;
  client_threads: number;
  /** How often the engine's coordinator has sampled the state of all threads. */
  stack_samples: number;
  /** Indexed like `counters` of the layout. */
  counters: Float64Array;
  /** Latency of transactions: weighted counts per bucket, modulo 2^32. */
  histogram: Uint32Array;
  /** `latch_site_fields.length` totals for each latch site. */
  latch_sites: Float64Array;
  /**
   * How often this page has seen a client in each state, or how long they were in it; indexed like `thread_states`. NaN where
   * nobody can tell.
   */
  client_states: Float64Array;
  /** The same of the server's own threads. */
  server_states: Float64Array;
}

export function emptySnapshot(): Snapshot {
  return {
    run_generation: 0,
    run_ns: 0,
    read_at_ms: 0,
    client_threads: 0,
    stack_samples: 0,
    counters: new Float64Array(counters.length),
    histogram: new Uint32Array(histogram.buckets),
    latch_sites: new Float64Array(layout.thread_latch_sites.count * latch_site_fields.length),
    client_states: new Float64Array(thread_states.length),
    server_states: new Float64Array(thread_states.length),
  };
}

/** The few words that are looked at in every frame. */
export interface Header {
  run_generation: number;
  run_state: RunState;
  commands_posted: number;
  commands_done: number;
  marks_count: number;
  log_lines_count: number;
  intervals_count: number;
  run_ns: number;
  client_threads: number;
  /** What takes long now. */
  long_wait: LongWaitKind;
  long_wait_done: number;
  long_wait_total: number;
}

/** What has become of the last command that was carried out, or not. */
export interface CommandOutcome {
  outcome: Outcome;
  /** Why not: errors as JSON, or of a refusal by the server a sentence. */
  why: string;
}

/** A latch that a thread holds, or waits for. */
export interface LatchUse {
  /** Index into `Names.latch_sites`. */
  site: number;
  /** Tells latches of one name apart, such as the mutexes of two shards. */
  latch: number;
}

/** What one thread did when it was sampled. Parked threads are not sampled. */
export interface SampledThread {
  /** A client; else one of the server's own threads. */
  is_client: boolean;
  /** Which of its kind, from 0. */
  ordinal: number;
  state: ThreadState;
  /** What it polls or sleeps on, null if nothing. */
  waits_for: LatchUse | null;
  holds: LatchUse[];
}

/** A thread that a run has, or has had. */
export interface RunThread {
  slot: number;
  is_client: boolean;
  /** Index into `thread_states`. */
  state: number;
  /** Index into `Names.functions` of the one that it began with; null before it has begun. */
  began_with: number | null;
}

/** New lines of the server's error log and slow query log, or new intervals. */
export interface NewLines {
  lines: string[];
  /** Lines written before these that the engine's ring no longer held. */
  missed: number;
  /** What to ask for next. */
  next: number;
}

/** Names of the engine's functions and latches, as far as they are known now. */
export interface Names {
  functions: string[];
  latches: string[];
  latch_sites: { latch: number; function: number }[];
}

const counter_indices = new Map<string, number>(counters.map(({ name }, index) => [name, index]));

export function counterIndex(name: string): number {
  const index = counter_indices.get(name);
  if (index === undefined) throw new Error(`The engine has no counter ${name}.`);
  return index;
}
