// Defines comparisons and sweeps: their link fields, and the plan that their results contain.
import type { Platform } from './platforms.ts';
import type { RunSpec } from './run-spec.ts';
import type { Field } from './draft.ts';
import type { Design } from './design.ts';

export type ExperimentKind = 'comparison' | 'sweep';

/**
 * Fields of a comparison in addition to the run spec, which contains the first design. null:
 * default.
 */
export interface ComparisonSettings {
  /** The second design. */
  with: Design | null;
  repeats: Field | null;
  /**
   * Run time from which all counts; null: the manifest's default, or the moment at which a run has
   * settled.
   */
  from_s: Field | null;
}

/**
 * Fields of a sweep in addition to the run spec, whose design and threads it ignores. null:
 * default.
 */
export interface SweepSettings {
  /** Ids of named designs. */
  designs: string[] | null;
  /** Thread counts, as typed. */
  counts: string | null;
  repeats: Field | null;
  from_s: Field | null;
}

/** Runs per design, of a comparison, a sweep or a check. */
export const repeats_range = { min: 1, max: 50 };

export interface PlannedRun {
  /** Index of its design in the plan's list. */
  design: number;
  /** Counts from 0. Runs of one repeat have the same seed. */
  repeat: number;
  spec: RunSpec;
}

export interface Plan {
  kind: ExperimentKind;
  scenario: string;
  platform: Platform;
  designs: { title: string; design: Design }[];
  counts: number[];
  repeats: number;
  /**
   * Runs count from here to `duration_s`; null: from where each has settled
   * (analysis/statistics/measured-part.ts).
   */
  from_s: number | null;
  duration_s: number;
  interval_s: number;
  /** Number of intervals per step of a line over time: a few transactions of each client. */
  intervals_of_a_step: number;
  /** In execution order. */
  runs: PlannedRun[];
}
