// Defines input and output of window.latchscope.lab.measure().
import type { LabContestSpec } from './lab-exercise.ts';
import type { LabContest } from './lab-results.ts';

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
