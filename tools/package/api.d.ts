import type { Explanation } from '../../web/contract/explanation';
import type { RunResult } from '../../web/contract/run-result';
import type { RunSpec } from '../../web/contract/run-spec-rules';
import type { WhatIfReport } from '../../web/contract/what-if-report';

/** A run spec in which everything but the scenario and the duration has a default. */
export type GivenRunSpec = Partial<Omit<RunSpec, 'design' | 'platform'>> & {
  scenario: string;
  duration_s: number;
  /** A preset such as `fixed`, or variants of some knobs. */
  design?: string | Record<string, string>;
  platform?: 'virtual';
};

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
