// A run of a series that is over.
import type { RunSpec } from './run-spec.ts';

export interface BatchRun {
  spec: RunSpec;
}

/** What has become of a run: what is kept of it, or why it does not count. */
export type RunOutcome<Kept> = ({ ok: true } & Kept) | { ok: false; reason: string };

/** A run that is over. */
export type FinishedRun<Run extends BatchRun, Kept> = Run & {
  /** Real time, building the server included. */
  took_s: number;
  outcome: RunOutcome<Kept>;
};
