// What comparisons and sweeps return, and write to a file as JSON.
import type { ExperimentKind, Plan, PlannedRun } from './experiment-plan.ts';
import type { FinishedRun as Finished } from './finished-run.ts';

export interface RatioEstimate {
  /** b / a: the geometric mean over the pairs. */
  ratio: number;
  /** 95 % interval of it; null with fewer than two pairs. */
  interval: readonly [low: number, high: number] | null;
  pairs: number;
}

export type Verdict = 'faster' | 'slower' | 'no_difference' | 'cannot_tell';

/** Throughput of a thread count; with several runs of it, their mean. */
export interface UslPoint {
  threads: number;
  throughput: number;
}

export interface UslCoefficient {
  value: number;
  /** 95 % interval. */
  interval: readonly [low: number, high: number];
}

export interface UslFit {
  lambda: UslCoefficient;
  sigma: UslCoefficient;
  kappa: UslCoefficient;
  /** Where throughput is highest; null if it rises for ever. */
  peak: UslPoint | null;
  /** Share of the variance of the throughputs that the curve explains. */
  r_squared: number;
  /** Root mean square of what the curve misses the throughputs by, as a share of their mean. */
  relative_error: number;
}

export type UslOutcome = { ok: true; fit: UslFit } | { ok: false; reason: string };

export interface MeasuredPart {
  /** What came before is left out. */
  from_s: number;
  /** How much of the run was measured. */
  seconds: number;
  transactions: number;
  tps: number;
  /** Mean of the intervals' 99th percentiles, weighted with their transactions; null without transactions. */
  p99_ms: number | null;
  /** Its two halves have the same throughput, and each client has ended a few transactions in it. */
  is_steady: boolean;
}

export interface RunPoint {
  t_s: number;
  tps: number;
  /** null without transactions. */
  p99_ms: number | null;
}

/** What the engine counted in a run, from its beginning to its end. */
export interface CountedRun {
  acquisitions: Record<string, number>;
  counters: Record<string, number>;
}

export interface Kept {
  measured: MeasuredPart;
  points: RunPoint[];
  counted: CountedRun;
}

/** A run of the plan that is over. */
export type FinishedRun = Finished<PlannedRun, Kept>;

/** Two designs under the same load. */
export interface ComparisonOutcome {
  version: 1;
  kind: 'comparison';
  plan: Plan;
  runs: readonly FinishedRun[];
  /** Second design's throughput / first design's; null without a pair. */
  throughput: RatioEstimate | null;
  /** The same of the 99th percentile of latency. */
  p99: RatioEstimate | null;
  margin: number;
  verdict: Verdict;
  sentence: string;
}

export interface SweepPoint {
  threads: number;
  /** Of each run. */
  tps: readonly number[];
  mean_tps: number;
  mean_p99_ms: number | null;
}

export interface SweepCurve {
  /** Place of its design in the plan's list. */
  design: number;
  points: readonly SweepPoint[];
  usl: UslOutcome;
}

/** Throughput of several designs against the number of client threads. */
export interface SweepOutcome {
  version: 1;
  kind: 'sweep';
  plan: Plan;
  runs: readonly FinishedRun[];
  curves: readonly SweepCurve[];
}

export type ExperimentOutcome = ComparisonOutcome | SweepOutcome;

export interface OutcomeOf extends Record<ExperimentKind, ExperimentOutcome> {
  comparison: ComparisonOutcome;
  sweep: SweepOutcome;
}

/** What a run result says of each interval. */
export interface MeasurableInterval {
  /** When it ended. */
  t_s: number;
  tps: number;
  latency_ms: { p99: number };
}
