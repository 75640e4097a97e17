// What came out of a run, as the engine writes it (version 1).
import type { TimeShares } from './time-shares';
import type { RunSpec } from './run-spec';

export interface LatencyMs {
  mean: number;
  p50: number;
  p95: number;
  p99: number;
  max: number;
}

export interface RunResult {
  version: 1;
  spec: RunSpec;
  /** A modelled server gives the same result whoever computes it: it does not say by which build. */
  engine: { version: string; platform: string; build?: string };
  intervals: {
    t_s: number;
    tps: number;
    qps: number;
    /** sysbench's r/w/o. Files of before November 2026 do not have it. */
    queries_per_s?: { read: number; write: number; other: number };
    latency_ms: LatencyMs;
    errors_per_s: number;
  }[];
  totals: {
    seconds: number;
    transactions: number;
    tps: number;
    latency_ms: LatencyMs & { min: number };
  };
  counters: Record<string, number>;
  /** Shares of the clients' time. */
  cpu: TimeShares;
  /** Shares of the time of the server's own threads. */
  engine_cpu: TimeShares;
  latches: {
    latch: string;
    site: string;
    acquisitions: number;
    contended: number;
    spin_rounds: number;
    waits: number;
    wait_ns: number;
    hold_ns: number;
    /** On a modelled server: how long threads stalled on its cache line. */
    line_stall_ns?: number;
    /** Looks that found a thread asleep here, and polling here. */
    samples_waiting: number;
    samples_spinning: number;
  }[];
  stacks: { frames: string[]; samples: number }[];
  log: string[];
  /** Of the virtual platform: what the modelled server did, loading the data included. */
  model?: {
    time_ps: number;
    events: number;
    /** Over the time and the thread of every event: equal for equal runs. */
    event_hash: string;
    context_switches: number;
    busy_ps: number;
    bucket_spin_ps: number;
    futex_waits: number;
    futex_wakes: number;
  };
  /** Why the run ended before its time. */
  stopped_early?: string;
  invariants: { name: string; ok: boolean; detail: string }[];
}
