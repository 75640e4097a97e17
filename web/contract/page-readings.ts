// What window.latchscope.state(), snapshot() and courses() return.
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
  /** Why the engine last stopped for good, until the next run. */
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

/** The page in front of an audience. */
export interface PresenterReadings {
  presenter: {
    is_on: boolean;
    /** How far a slide remote has come where no lesson is open. */
    cues_done: number;
  };
}

export type StateReadings = SessionReadings & LessonReadings & PresenterReadings;

/** What is read of a run while it goes on. */
export interface RunReadings {
  live: LiveView | null;
  /** How far virtual time has come; null on real threads. */
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

/** A course of the run. */
export interface CourseTold {
  id: number;
  name: string;
  /** The course that it left at `at_s`; null: none. */
  parent: number | null;
  at_s: number;
  actions: readonly TimedAction[];
  is_shown: boolean;
  /** The page has something to draw of it. */
  is_carried_out: boolean;
}
