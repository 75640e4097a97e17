// Defines the results of comparisons and sweeps, also as JSON files.
import type { ExperimentKind, Plan, PlannedRun } from './experiment-plan.ts';
import type { RunSpec } from './run-spec.ts';

export interface BatchRun {
  spec: RunSpec;
}

/** The outcome of a run: the stored data, or the reason why the run does not count. */
export type RunOutcome<Kept> = ({ ok: true } & Kept) | { ok: false; reason: string };

/** A finished run. */
export type FinishedRun<Run extends BatchRun, Kept> = Run & {
  /** Real time, including the construction of the server. */
  took_s: number;
  outcome: RunOutcome<Kept>;
};

export interface RatioEstimate {
  /** b / a: the geometric mean over the pairs. */
  ratio: number;
  /** 95 % interval of the ratio; null with fewer than two pairs. */
  interval: readonly [low: number, high: number] | null;
  pairs: number;
}

export type Verdict = 'faster' | 'slower' | 'no_difference' | 'cannot_tell';

/** Throughput of a thread count; the mean if there are several runs. */
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
  /** The maximum of throughput; null if it always rises. */
  peak: UslPoint | null;
  /** Share of the throughputs' variance that the curve explains. */
  r_squared: number;
  /** Root mean square deviation of the curve from the throughputs, as a share of their mean. */
  relative_error: number;
}

export type UslOutcome = { ok: true; fit: UslFit } | { ok: false; reason: string };

export interface MeasuredPart {
  /** The time before does not count. */
  from_s: number;
  /** Length of the measured part. */
  seconds: number;
  transactions: number;
  tps: number;
  /**
   * Mean of the intervals' 99th percentiles, weighted by their transactions; null without
   * transactions.
   */
  p99_ms: number | null;
  /**
   * Its two halves have the same throughput, and each client has ended a few transactions in it.
   */
  is_steady: boolean;
}

export interface RunPoint {
  t_s: number;
  tps: number;
  /** null without transactions. */
  p99_ms: number | null;
}

/** The engine's counts over a whole run. */
export interface CountedRun {
  acquisitions: Record<string, number>;
  counters: Record<string, number>;
}

export interface Kept {
  measured: MeasuredPart;
  points: RunPoint[];
  counted: CountedRun;
}

/** A finished run of the plan. */
export type ExperimentRun = FinishedRun<PlannedRun, Kept>;

/** Two designs under the same load. */
export interface ComparisonOutcome {
  version: 1;
  kind: 'comparison';
  plan: Plan;
  runs: readonly ExperimentRun[];
  /** Second design's throughput / first design's; null without a pair. */
  throughput: RatioEstimate | null;
  /** The ratio of 99th percentiles of latency. */
  p99: RatioEstimate | null;
  margin: number;
  verdict: Verdict;
  sentence: string;
}

export interface SweepPoint {
  threads: number;
  /** For each run. */
  tps: readonly number[];
  mean_tps: number;
  mean_p99_ms: number | null;
}

export interface SweepCurve {
  /** Index of its design in the plan's list. */
  design: number;
  points: readonly SweepPoint[];
  usl: UslOutcome;
}

/** Throughput of several designs against the number of client threads. */
export interface SweepOutcome {
  version: 1;
  kind: 'sweep';
  plan: Plan;
  runs: readonly ExperimentRun[];
  curves: readonly SweepCurve[];
}

export type ExperimentOutcome = ComparisonOutcome | SweepOutcome;

export interface OutcomeOf extends Record<ExperimentKind, ExperimentOutcome> {
  comparison: ComparisonOutcome;
  sweep: SweepOutcome;
}

/** The fields of an interval that are measured. */
export interface MeasurableInterval {
  /** End of the interval. */
  t_s: number;
  tps: number;
  latency_ms: { p99: number };
}

/** `undecided`: the interval contains the bound. More seeds make it narrower. */
export type ExpectationOutcome = 'holds' | 'fails' | 'undecided';

export interface JudgedExpectation {
  /** Its path below `expect`, such as `tps` or `counters.purged_undo_records`. */
  figure: string;
  outcome: ExpectationOutcome;
  /** Figure and requirement. */
  sentence: string;
  /** Mean over the seeds; null without one. */
  value: number | string | null;
  /** null with fewer than two seeds. */
  interval: readonly [low: number, high: number] | null;
}

export interface CheckReport {
  name: string;
  /** All of its expectations hold. */
  holds: boolean;
  expectations: JudgedExpectation[];
  /** Set if a run does not count, such as after a broken invariant. Then nothing else is judged. */
  fault?: string;
}

export interface ChecksReport {
  version: 1;
  holds: boolean;
  checks: CheckReport[];
}
