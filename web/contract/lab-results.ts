// Defines the engine's results about lab latches (docs/reference/latch-checker.md), which
// wasm-engine/run/lab_check.h, lab_contest.h and lab_host.h write.
import type { ExerciseCheck, LabContestSpec, LabFaultKind } from './lab-exercise.ts';
import type { Design } from './design.ts';

export type LabPhase = 'outside' | 'entering' | 'holding' | 'exiting';
type LabMemory = 'sc' | 'tso';

/** An element of a word of the latch. */
export interface LabElement {
  word: string;
  index: number;
}

/** The state of a thread. */
export interface LabThread {
  phase: LabPhase;
  /** Line that it runs next, or in which it sleeps; absent after its end. */
  line?: number;
  /** It holds, enters or exits an rw-latch in shared mode. */
  shared?: true;
  ended?: true;
  /** It is about to repeat an access of its current call. */
  goes_round?: true;
  /** It continues once its stores have taken effect. */
  waits_for_its_stores?: true;
  /** Its stores that have not taken effect, oldest first. */
  unseen_stores: (LabElement & { value: number })[];
}

/** The state of the whole schedule in the checker. */
export interface LabMoment {
  words: { word: string; values: number[] }[];
  /** Thread n is at index n - 1. */
  threads: LabThread[];
  /** For each element, in the order in which the threads will wake. */
  sleepers: (LabElement & { thread: number })[];
}

export interface LabStep {
  /** Counts from 1. */
  thread: number;
  what: 'access' | 'takes_effect' | 'choice' | 'leaves';
  function: string;
  line: number;
  operation: string;
  /** The accessed word. */
  word?: string;
  index?: number;
  before?: number;
  after?: number;
  /** The value that the thread read; absent if it read none. */
  read?: number;
  /** The value that it wrote, also if the word had it already; absent if it wrote none. */
  wrote?: number;
  /** The store waits in its thread's store buffer. */
  buffered?: true;
  /** Result of the operation. */
  result?: number;
  falls_asleep?: true;
  afterwards: LabMoment;
}

export interface LabFault {
  kind: LabFaultKind;
  sentence: string;
  memory: LabMemory;
  threads: number;
  roles: string;
  rounds: number;
  schedule: string;
  /** From this step on, counted from 1, the schedule can repeat forever. */
  repeats_from_step?: number;
  /** State before the first step. */
  begin: LabMoment;
  steps: LabStep[];
}

export interface LabCheckResult {
  version: 1;
  /** `can_starve`: no fault was found, but a thread can wait forever. */
  verdict: 'no_fault_found' | 'can_starve' | 'fault_found' | 'refused';
  sentence: string;
  fault?: LabFault;
  /** How a thread can starve; may be present together with a fault. */
  starvation?: LabFault;
  checked: { how: 'every_schedule' | 'starvation' | 'at_random'; sentence: string }[];
}

export interface LabCheckProgress {
  part: number;
  parts: number;
  sentence: string;
  is_done: boolean;
}

/** Values that were not observed are null. */
export interface LabContest {
  threads: number;
  duration_us: number;
  acquisitions: number;
  acquisitions_per_s: number;
  shared_acquisitions: number;
  fairness: number | null;
  wait_ns: { median: number | null; p99: number | null; max: number | null };
  hand_over_ns: number | null;
  hand_overs: number;
  in_order_percent: number | null;
  overtaken_max: number;
  line_transfers_per_acquisition: number | null;
  futex_waits: number;
  context_switches: number;
  events: number;
  ended_early: boolean;
  /** Source lines, per acquisition. */
  lines: { line: number; accesses: number | null; ns: number | null; transfers: number | null }[];
  verdict: 'sound' | 'broken' | 'wrong' | 'hangs';
  sentence: string;
}

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

export interface LabSettings {
  server: string;
  threads: string;
  hold_ns: string;
  think_ns: string;
  /** Percentage of shared acquisitions of an rw-latch. */
  shared_percent: string;
}

/** A latch and its contests. */
export interface MeasuredLatch {
  /** null: the reader's own. */
  latch: string | null;
  contests: readonly LabContest[];
}

export interface LabMeasurement {
  source: string;
  /** All settings except the number of threads. */
  contest: Omit<LabContestSpec, 'threads'>;
  threads: readonly number[];
  latches: readonly MeasuredLatch[];
}
