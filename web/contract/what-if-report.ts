// A study of a what-if as the engine reads it, and its report.

/** Where what a what-if keeps of a run begins: with the run, or where its first interval ends. */
export type OutcomeFrom = 'beginning' | 'first_interval';

/** What a what-if keeps of a run (wasm-engine/api/run_outcome.h). */
export interface WhatIfOutcome {
  tps: number;
  p99_ms: number;
  seconds: number;
  cost_ns: Record<string, number>;
  broken_invariants: string[];
  stopped_early: string;
}

/** The same run with each seed, as it is or with something supposed; null: that run has come to nothing. */
export interface StudyPoint {
  name: string;
  what_if?: object;
  runs: (WhatIfOutcome | null)[];
}

export interface StudyHead {
  version: 1;
  /** As the engine has written it, with the first of the seeds. */
  spec: object;
  seeds: number;
  from_s: number;
}

/** What was run, and what came out of each run (wasm-engine/api/what_if_report.h). */
export type WhatIfStudy = StudyHead &
  (
    | { points: StudyPoint[] }
    | {
        section_percent: number;
        base: StudyPoint;
        latches: { latch: string; section: StudyPoint; hand_over: StudyPoint }[];
      }
  );

export interface HotLatch {
  latch: string;
  /** What it costs, of the clients' time. */
  cost_share: number;
}

/** A mean over seeds with its 95 % interval; of one seed no interval, of none no mean. */
export interface Estimate {
  mean: number | null;
  low?: number | undefined;
  high?: number | undefined;
}

export interface ReportPoint {
  name: string;
  what_if?: object;
  tps: Estimate;
  tps_ratio: Estimate;
  p99_ms: Estimate;
  runs: ({ tps: number; p99_ms: number } | null)[];
}

export type WhatIfReport = StudyHead &
  (
    | { points: ReportPoint[] }
    | {
        section_percent: number;
        base: ReportPoint;
        latches: (HotLatch & { section: ReportPoint; hand_over: ReportPoint })[];
      }
  );
