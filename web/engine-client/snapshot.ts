// Declares the data that the page reads from the telemetry block.
import type { LongWaitKind, RunState, ThreadState } from '../contract/telemetry-states';
import type { Outcome } from '../contract/gen/engine-abi';
import { counters, histogram, layout, thread_states } from '../contract/gen/telemetry-layout';
import { script_limits } from '../contract/workload-operations.ts';

export type CounterName = (typeof counters)[number]['name'];
export type LatchSiteField = keyof typeof layout.thread_latch_sites.fields;

/** Fields of one latch site, in the order in which `Snapshot.latch_sites` holds them. */
export const latchSiteFields = Object.keys(layout.thread_latch_sites.fields) as LatchSiteField[];

/**
 * All totals of the telemetry block at one moment, summed over threads. Two snapshots of one run
 * generation form a window; every number on the page is a difference between two. Buffers are
 * reused, so do not store them.
 */
export interface Snapshot {
  runGeneration: number;
  /** Run time in nanoseconds since clients started, without pauses. */
  runNs: number;
  /** The page's clock when the totals were read, in milliseconds. */
  readAtMs: number;
  clientThreads: number;
  /** How often the engine's coordinator has sampled the state of all threads. */
  stackSamples: number;
  /** Indexed like `counters` of the layout; then those of the run's workload file. */
  counters: Float64Array;
  /** Latency of transactions: weighted counts per bucket, modulo 2^32. */
  histogram: Uint32Array;
  /** `latchSiteFields.length` totals per latch site. */
  latchSites: Float64Array;
  /**
   * Per entry of `thread_states`: how often this page has sampled a client in that state, or
   * nanoseconds in it on a modeled server. NaN if unknown.
   */
  clientStates: Float64Array;
  /** The same for the server's own threads. */
  serverStates: Float64Array;
}

export function emptySnapshot(): Snapshot {
  return {
    runGeneration: 0,
    runNs: 0,
    readAtMs: 0,
    clientThreads: 0,
    stackSamples: 0,
    counters: new Float64Array(countersRead),
    histogram: new Uint32Array(histogram.buckets),
    latchSites: new Float64Array(layout.thread_latch_sites.count * latchSiteFields.length),
    clientStates: new Float64Array(thread_states.length),
    serverStates: new Float64Array(thread_states.length),
  };
}

/** The fields that are read in every frame. */
export interface Header {
  runGeneration: number;
  runState: RunState;
  commandsPosted: number;
  commandsDone: number;
  marksCount: number;
  logLinesCount: number;
  intervalsCount: number;
  runNs: number;
  clientThreads: number;
  /** The long operation in progress. */
  longWait: LongWaitKind;
  longWaitDone: number;
  longWaitTotal: number;
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
  isClient: boolean;
  /** Number among the threads of its kind, from 0. */
  ordinal: number;
  state: ThreadState;
  /** The latch that it polls or sleeps on; null if none. */
  waitsFor: LatchUse | null;
  holds: LatchUse[];
}

/** A current or ended thread of a run. */
export interface RunThread {
  slot: number;
  isClient: boolean;
  /** Index into `thread_states`. */
  state: number;
  /** Index into `Names.functions` of its outermost function; null before it has started. */
  beganWith: number | null;
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
  latchSites: { latch: number; function: number }[];
}

const counterIndices = new Map<string, number>(counters.map(({ name }, index) => [name, index]));

/** How many counters the page reads. */
export const countersRead = counters.length + script_limits.counters_max;

/** `ofWorkload`: the counters of the run's workload file, which may use names of the engine's. */
export function counterIndex(name: string, ofWorkload: readonly string[] = []): number {
  const own = ofWorkload.indexOf(name);
  if (own >= 0) return counters.length + own;
  const index = counterIndices.get(name);
  if (index === undefined) throw new Error(`The engine has no counter ${name}.`);
  return index;
}
