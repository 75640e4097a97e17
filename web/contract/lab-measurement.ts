// What window.latchscope.lab.measure() takes and returns.
import type { LabContestSpec } from './lab-exercise.ts';
import type { LabContest } from './lab-results.ts';

export interface LabSettings {
  server: string;
  threads: string;
  hold_ns: string;
  think_ns: string;
  /** Percent of the entries, of an rw-latch. */
  shared_percent: string;
}

/** A latch whose threads have competed. */
export interface MeasuredLatch {
  /** Null: the reader's own. */
  latch: string | null;
  contests: readonly LabContest[];
}

export interface LabMeasurement {
  source: string;
  /** But for the number of threads. */
  contest: Omit<LabContestSpec, 'threads'>;
  threads: readonly number[];
  latches: readonly MeasuredLatch[];
}
