// Defines the judgement of an attempt, as `lab judge --json` and window.latchscope.lab.judge()
// return it.
import type { Design } from './design.ts';
import type { LabCheckResult, LabContest, LabFault } from './lab-results.ts';
import type { ExerciseCheck } from './lab-exercise.ts';

export interface JudgedCheck {
  kind: ExerciseCheck['kind'];
  holds: boolean;
  /** Result and requirement. */
  sentence: string;
}

export interface Judgement {
  holds: boolean;
  checks: JudgedCheck[];
}

/** The fields of `lab check` that a judgement uses. */
export type CheckOutcome = Pick<LabCheckResult, 'verdict' | 'sentence'> & {
  fault?: Pick<LabFault, 'kind'>;
  starvation?: Pick<LabFault, 'kind'>;
};

/** The fields of one contest of `lab bench`. */
export type ContestOutcome = Pick<
  LabContest,
  | 'verdict'
  | 'sentence'
  | 'acquisitions'
  | 'acquisitions_per_s'
  | 'hand_over_ns'
  | 'line_transfers_per_acquisition'
  | 'futex_waits'
  | 'overtaken_max'
  | 'in_order_percent'
  | 'fairness'
> & { wait_ns: Pick<LabContest['wait_ns'], 'median' | 'p99'> };

/** The fields of a run of a bug. */
export interface WorkloadOutcome {
  totals: { tps: number; latency_ms: { p95: number; p99: number } };
  invariants: readonly { name: string; ok: boolean; detail: string }[];
}

/** The reason why the engine refused to start. */
export interface RefusedOutcome {
  refused: string;
}

/** A workload's fields of a run spec. */
export type WorkloadPart = { design: Design; duration_s: number; interval_s: number } & Record<
  string,
  unknown
>;
