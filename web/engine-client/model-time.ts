// Time of the modelled server, as its host and the page speak of it.

/** How far time goes on in one step. */
export type Step = { events: number } | { until_next_multiple_of_ns: number };

/** How far the modelled server is, and what it took. */
export interface ModelReadings {
  run_ns: number;
  /** Since the server was built: accesses, wake-ups, and other moments in which threads may meet. */
  events: number;
  /** Real time spent on this run while clients ran. */
  host_ms: number;
}
