// Comparisons and sweeps: their fields of a link, and the plan that their results hold.
import type { Platform } from './platforms.ts';
import type { RunSpec } from './run-spec.ts';
import type { Field } from './draft.ts';
import type { Design } from './design.ts';

export type ExperimentKind = 'comparison' | 'sweep';

/** What a comparison has beside the run spec, which holds the first design. null: the default. */
export interface ComparisonSettings {
  /** The second design. */
  with: Design | null;
  repeats: Field | null;
  /** Run time from which on all counts; null: what the manifest says, or from where a run has settled. */
  from_s: Field | null;
}

/** What a sweep has beside the run spec, whose design and threads it leaves out. null: the default. */
export interface SweepSettings {
  /** Ids of named designs. */
  designs: string[] | null;
  /** Thread counts, as they were typed. */
  counts: string | null;
  repeats: Field | null;
  from_s: Field | null;
}

export interface PlannedRun {
  /** Place of its design in the plan's list. */
  design: number;
  /** From 0 on. Runs of one repeat have one seed. */
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
  /** Runs count from here on, to `duration_s`; null: from where each has settled (analysis/statistics/measured-part.ts). */
  from_s: number | null;
  duration_s: number;
  interval_s: number;
  /** How many intervals a step of a line over time holds: a few transactions of each client. */
  intervals_of_a_step: number;
  /** In the order in which they are run. */
  runs: PlannedRun[];
}
