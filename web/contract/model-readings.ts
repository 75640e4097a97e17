// Time of the modelled server: what window.latchscope takes and returns.

/** A moment of a run on a modelled server: after so many events, at a run time, or so many events before now. */
export type Moment = { events: number } | { run_ns: number } | { events_back: number };

/** What of a run can be gone back to. */
export interface PastReadings {
  /** Copies of the server's memory; null if not even one fits the budget. */
  keyframes: number | null;
  bytes: number;
  budget_bytes: number;
  /** How far the run has been, without what was changed since. */
  furthest_events: number;
  furthest_run_ns: number;
  /** How much of the way to another moment lies behind; null while nobody goes to one. */
  part_done: number | null;
}

/** How far the modelled server is, and what it took. */
export interface ModelReadings {
  run_ns: number;
  /** Since the server was built: accesses, wake-ups, and other moments in which threads may meet. */
  events: number;
  /** Real time spent on this run while clients ran. */
  host_ms: number;
  /** null if no keyframes are kept. */
  past: PastReadings | null;
}
