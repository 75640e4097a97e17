// Defines a finished run of a series.
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
