// Defines a what-if study as the engine reads it, and its report.

/** Start of the measured part: at the beginning of the run, or at the end of its first interval. */
export type OutcomeFrom = 'beginning' | 'first_interval';

/** The results of a run that a what-if stores (wasm-engine/run/run_outcome.h). */
export interface WhatIfOutcome {
  tps: number;
  p99_ms: number;
  seconds: number;
  cost_ns: Record<string, number>;
  broken_invariants: string[];
  stopped_early: string;
}

/** The same run with each seed, unchanged or with a what-if; null: that run failed. */
export interface StudyPoint {
  name: string;
  what_if?: object;
  runs: (WhatIfOutcome | null)[];
}

export interface StudyHead {
  version: 1;
  /** As the engine wrote it, with the first seed. */
  spec: object;
  seeds: number;
  from_s: number;
}

/** The runs of a study and their results (wasm-engine/explain/what_if_report.h). */
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
  /** Its cost, relative to the clients' time. */
  cost_share: number;
}

/** A mean over seeds with its 95 % interval: no interval with one seed, no mean without any. */
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
