/** Ends a wait for a state that never comes: far longer than any wait takes on a busy machine. */
export const WAIT_MS = 300_000;
