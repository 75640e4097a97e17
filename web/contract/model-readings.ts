// Defines the time of the modeled server: input and output of window.latchscope.

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
