// Time of the modelled server, as its host and the page speak of it.

/** How far time goes on in one step. */
export type Step = { events: number } | { until_next_multiple_of_ns: number };
