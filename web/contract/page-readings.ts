// Defines what window.latchscope returns: state(), snapshot(), courses(), and the time of a modeled
// server.
import type { Draft } from './draft.ts';
import type { LessonProgress } from './lesson.ts';
import type { LiveView } from './live-view.ts';
import type { Mark, RunState } from './telemetry-states.ts';
import type { RunInterval, RunResult } from './run-result.ts';
import type { RunSpec, TimedAction } from './run-spec.ts';

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

/** The slides of the presenter. */
export interface PresenterReadings {
  presenter: {
    is_on: boolean;
    /** Index of the shown slide, and how many there are. */
    slide: number;
    slides: number;
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

/** An interval of a run in this page's own engine. */
export interface EngineInterval extends RunInterval {
  seconds: number;
}

/** Result of the engine's `version`. */
export interface EngineVersion {
  version: string;
  platform: string;
  build: string;
  abi_hash: number;
  run_spec_version: number;
  run_result_version: number;
  layout_hash: number;
  clients_max: number;
}

/**
 * A moment of a run on a modeled server: after a number of events, at a run time, or a number of
 * events before now.
 */
export type Moment = { events: number } | { run_ns: number } | { events_back: number };

/** The history of a run that a rewind can reach. */
export interface PastReadings {
  /** Copies of the server's memory; null if not even one fits into the budget. */
  keyframes: number | null;
  bytes: number;
  budget_bytes: number;
  /** The furthest moment of the run, not counting times before the last change. */
  furthest_events: number;
  furthest_run_ns: number;
  /** Progress of the move to another moment, from 0 to 1; null if there is none. */
  part_done: number | null;
}

/** Progress of the modeled server, and its cost. */
export interface ModelReadings {
  run_ns: number;
  /**
   * Events since the server was built: accesses, wake-ups, and other moments at which threads may
   * interact.
   */
  events: number;
  /** Real time spent on this run while clients ran. */
  host_ms: number;
  /** null if no keyframes are stored. */
  past: PastReadings | null;
}

/** The server's error log and slow query log of a run. */
export interface ServerLog {
  /** Oldest first, verbatim. */
  lines: readonly string[];
  /** Number of lines that this page lacks: dropped, or written faster than it reads. */
  left_out: number;
}
