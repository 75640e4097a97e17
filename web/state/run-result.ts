// What came out of a run, as the engine writes it (version 1).
import type { RunSpec } from './run-spec';

export interface LatencyMs {
  p50: number;
  p95: number;
  p99: number;
  max: number;
}

export interface RunResult {
  version: 1;
  spec: RunSpec;
  engine: { version: string; platform: string; build: string };
  intervals: { t_s: number; tps: number; qps: number; latency_ms: LatencyMs }[];
  totals: {
    seconds: number;
    transactions: number;
    tps: number;
    latency_ms: LatencyMs & { min: number; mean: number };
  };
  counters: Record<string, number>;
  cpu: Record<'running' | 'spinning' | 'waiting' | 'sleeping' | 'io', number>;
  latches: {
    latch: string;
    site: string;
    acquisitions: number;
    contended: number;
    spin_rounds: number;
    waits: number;
    wait_ns: number;
    hold_ns: number;
  }[];
  stacks: { frames: string[]; samples: number }[];
  log: string[];
  invariants: { name: string; ok: boolean; detail: string }[];
}
