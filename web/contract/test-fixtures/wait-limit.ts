/** Timeout for a state that never occurs: far longer than any wait on a busy machine. */
export const WAIT_MS = 300_000;
