// Declares the data that the page reads from the telemetry block.
import type { LongWaitKind, RunState, ThreadState } from '../contract/telemetry-states';
import type { Outcome } from '../contract/gen/engine-abi';
import { counters, histogram, layout, thread_states } from '../contract/gen/telemetry-layout';

export type CounterName = (typeof counters)[number]['name'];
export type LatchSiteField = keyof typeof layout.thread_latch_sites.fields;

/** Fields of one latch site, in the order in which `Snapshot.latch_sites` holds them. */
export const latch_site_fields = Object.keys(layout.thread_latch_sites.fields) as LatchSiteField[];

/**
 * All totals of the telemetry block at one moment, summed over threads. Two snapshots of one run
 * generation form a window; every number on the page is a difference between two. Buffers are
 * reused, so do not store them.
 */
export interface Snapshot {
  run_generation: number;
  /** Run time in nanoseconds since clients started, without pauses. */
  run_ns: number;
  /** The page's clock when the totals were read, in milliseconds. */
  read_at_ms: number;
  client_threads: number;
  /** How often the engine's coordinator has sampled the state of all threads. */
  stack_samples: number;
  /** Indexed like `counters` of the layout. */
  counters: Float64Array;
  /** Latency of transactions: weighted counts per bucket, modulo 2^32. */
  histogram: Uint32Array;
  /** `latch_site_fields.length` totals per latch site. */
  latch_sites: Float64Array;
  /**
   * Per entry of `thread_states`: how often this page has sampled a client in that state, or
   * nanoseconds in it on a modelled server. NaN if unknown.
   */
  client_states: Float64Array;
  /** The same for the server's own threads. */
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

/** The fields that are read in every frame. */
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
  /** The long operation in progress. */
  long_wait: LongWaitKind;
  long_wait_done: number;
  long_wait_total: number;
}

/** The outcome of the last command that the coordinator processed. */
export interface CommandOutcome {
  outcome: Outcome;
  /** Why it was refused: faults as JSON, or a sentence if the server refused it. */
  why: string;
}

/** A latch that a thread holds or waits for. */
export interface LatchUse {
  /** Index into `Names.latch_sites`. */
  site: number;
  /** Distinguishes latches of the same name, such as the mutexes of two shards. */
  latch: number;
}

/** The activity of one thread when it was sampled. Parked threads are not sampled. */
export interface SampledThread {
  /** False for the server's own threads. */
  is_client: boolean;
  /** Number among the threads of its kind, from 0. */
  ordinal: number;
  state: ThreadState;
  /** The latch that it polls or sleeps on; null if none. */
  waits_for: LatchUse | null;
  holds: LatchUse[];
}

/** A current or ended thread of a run. */
export interface RunThread {
  slot: number;
  is_client: boolean;
  /** Index into `thread_states`. */
  state: number;
  /** Index into `Names.functions` of its outermost function; null before it has started. */
  began_with: number | null;
}

/** New lines of the server's error log and slow query log, or new intervals. */
export interface NewLines {
  lines: string[];
  /** Number of earlier lines that the engine's ring no longer held. */
  missed: number;
  /** Pass this as `first` of the next call. */
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
