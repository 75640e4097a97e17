import type { Checks } from '../../web/contract/checks';
import type { ChecksReport, ComparisonOutcome, SweepOutcome } from '../../web/contract/experiment-outcome';
import type { Explanation } from '../../web/contract/explanation';
import type { RunResult } from '../../web/contract/run-result';
import type { RunSpec } from '../../web/contract/run-spec-rules';
import type { WhatIfReport } from '../../web/contract/what-if-report';
import type { Workload } from '../../web/contract/workload-program';

export type { Field } from '../../web/contract/draft';
export type { ExperimentOutcome, MeasurableInterval, OutcomeOf } from '../../web/contract/experiment-outcome';
export type { ComparisonSettings, SweepSettings } from '../../web/contract/experiment-plan';
export type { TableOfTimes, TableRow } from '../../web/contract/explanation';
export type { OutcomeFrom, StudyPoint, WhatIfOutcome, WhatIfStudy } from '../../web/contract/what-if-report';

/** A bug, or a workload file. */
export type GivenScenario =
  | { scenario: string; workload?: undefined }
  | {
      /** Default: `workload`. */
      scenario?: string;
      /** The text of a workload file, or what it compiles to. */
      workload: string | Workload;
    };

/** Fields of a run spec beside its scenario. Each has a default. */
export type GivenFields = Partial<
  Omit<RunSpec, 'design' | 'duration_s' | 'platform' | 'scenario' | 'workload'>
> & {
  duration_s?: number;
  /** A preset such as `fixed`, or variants of some knobs. */
  design?: string | Record<string, string>;
  platform?: 'virtual';
};

/** A run spec in which everything but the scenario and the duration has a default. */
export type GivenRunSpec = GivenScenario & GivenFields & { duration_s: number };

export interface Options {
  /** Ends the work. The promise then rejects with the reason of the signal. */
  signal?: AbortSignal;
  /** Called with the part of the work that is done, from 0 to 1. */
  onProgress?: (done: number) => void;
}

export interface ExplainOptions extends Options {
  /**
   * The transaction: `slowest` (default), `p99`, `nth:N` (in order of start) or
   * `thread:CLIENT@SECONDS`.
   */
  transaction?: string;
  /** Also breaks down the time of the slowest 1 % of transactions. */
  blame?: boolean;
}

export interface WhatIfPoint {
  name: string;
  /** Field `what_if` of a run spec: the run spec of this point has it. */
  whatIf?: NonNullable<RunSpec['what_if']>;
}

export interface WhatIfOptions extends Options {
  /** How many seeds each point runs, from the spec's seed on; default: 1. */
  seeds?: number;
}

/** Executes a run on the virtual server to its end. Rejects if the engine refuses the spec. */
export declare function run(spec: GivenRunSpec, options?: Options): Promise<RunResult>;

/** Explains why a transaction of a run was slow. */
export declare function explain(spec: GivenRunSpec, options?: ExplainOptions): Promise<Explanation>;

/**
 * Runs a spec once for each point and seed, on all cores, and compares each point with the first one,
 * which usually has no `whatIf`.
 */
export declare function whatIf(
  spec: GivenRunSpec,
  points: readonly WhatIfPoint[],
  options?: WhatIfOptions,
): Promise<Extract<WhatIfReport, { points: unknown }>>;

/** A comparison: the spec has the first design. Without a duration, the scenario's default applies. */
export type Comparison = GivenScenario &
  GivenFields & {
    /** The second design; default: the fixed one, or the original one if the first is fixed. */
    with?: string | Record<string, string>;
    /** Number of pairs of runs. Both runs of a pair have the same seed. */
    repeats?: number;
    /** Run time from which all counts, in seconds; default: after the warm-up. */
    from_s?: number;
  };

/** Runs two designs under the same load, on all cores, and says which one is faster. */
export declare function compare(comparison: Comparison, options?: Options): Promise<ComparisonOutcome>;

/** A sweep. The spec's design and threads do not apply. */
export type Sweep = GivenScenario &
  Omit<GivenFields, 'design' | 'threads'> & {
    /** Names of designs: presets, or `knob.variant`; default: the original and the fixed one. */
    designs?: string[];
    /** Thread counts. */
    counts?: number[];
    /** Runs per design and thread count. */
    repeats?: number;
    from_s?: number;
  };

/** Measures designs with several thread counts, on all cores, and fits the Universal Scalability Law. */
export declare function sweep(sweep: Sweep, options?: Options): Promise<SweepOutcome>;

/** Executes the runs of a file of checks, on all cores, and judges its expectations. */
export declare function check(
  checks: Omit<Checks, 'version'> & { version?: 1 },
  options?: Options,
): Promise<ChecksReport>;
