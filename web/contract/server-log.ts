// The log of the server, as window.latchscope.snapshot() returns it.

/** What the server of a run has written to its error log and slow query log. */
export interface ServerLog {
  /** Oldest first, word for word. */
  lines: readonly string[];
  /** How many of the server's lines this page lacks: dropped, or written faster than it reads. */
  left_out: number;
}
