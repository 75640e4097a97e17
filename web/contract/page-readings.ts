// Defines the results of window.latchscope.state(), snapshot() and courses().
import type { Draft } from './draft.ts';
import type { EngineInterval } from './engine-interval.ts';
import type { EngineVersion } from './engine-version.ts';
import type { LessonProgress } from './lesson.ts';
import type { LiveView } from './live-view.ts';
import type { Mark } from './mark.ts';
import type { ModelReadings } from './model-readings.ts';
import type { RunResult } from './run-result.ts';
import type { RunSpec, TimedAction } from './run-spec.ts';
import type { ServerLog } from './server-log.ts';
import type { RunState } from './telemetry-states.ts';

/** The state of the session. */
export interface SessionReadings {
  run_state: RunState;
  engine_status: 'not_loaded' | 'loading' | 'ready';
  engine_version: EngineVersion | null;
  /** Reason of the engine's last failure, until the next run. */
  engine_failure: string | null;
  draft: Draft;
  /** The current run, or the last one. */
  spec: RunSpec | null;
  result: RunResult | null;
}

export interface LessonReadings {
  /** null: the lesson is closed. */
  lesson: LessonProgress | null;
}

/** The state of the presenter mode. */
export interface PresenterReadings {
  presenter: {
    is_on: boolean;
    /** Position of a slide remote without an open lesson. */
    cues_done: number;
  };
}

export type StateReadings = SessionReadings & LessonReadings & PresenterReadings;

/** Readings of a run in progress. */
export interface RunReadings {
  live: LiveView | null;
  /** Progress of virtual time; null on real threads. */
  model: ModelReadings | null;
  /** Oldest first. */
  intervals: readonly EngineInterval[];
  server_log: ServerLog;
}

export interface SnapshotReadings extends RunReadings {
  marks: Mark[];
  sysbench_report: string | null;
  history_rows: number;
  lane_segments: number;
}

/** A branch of the run. */
export interface BranchReadings {
  id: number;
  name: string;
  /** The branch from which it forked at `at_s`; null: none. */
  parent: number | null;
  at_s: number;
  actions: readonly TimedAction[];
  is_shown: boolean;
  /** The page has data of it to draw. */
  is_carried_out: boolean;
}
