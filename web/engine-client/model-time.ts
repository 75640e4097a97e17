// Declares the virtual time types that the modeled server's host and the page share.

/** How far virtual time advances in one step. */
export type Step = { events: number } | { untilNextMultipleOfNs: number };
