// Defines the log of the server, as window.latchscope.snapshot() returns it.

/** The server's error log and slow query log of a run. */
export interface ServerLog {
  /** Oldest first, verbatim. */
  lines: readonly string[];
  /** Number of lines that this page lacks: dropped, or written faster than it reads. */
  left_out: number;
}
