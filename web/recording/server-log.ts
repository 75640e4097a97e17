import type { NewLines } from '../engine-client/snapshot';

/** A thousand entries of a slow query log; of more the oldest are dropped. */
export const SERVER_LOG_LINES_KEPT = 5_000;

/** What the server of a run has written to its error log and slow query log. */
export interface ServerLog {
  /** Oldest first, word for word. */
  lines: readonly string[];
  /** How many of the server's lines this page lacks: dropped, or written faster than it reads. */
  left_out: number;
}

export const empty_server_log: ServerLog = { lines: [], left_out: 0 };

export function extendServerLog(log: ServerLog, { lines, missed }: NewLines): ServerLog {
  const all = [...log.lines, ...lines];
  const dropped = Math.max(0, all.length - SERVER_LOG_LINES_KEPT);
  return { lines: all.slice(dropped), left_out: log.left_out + missed + dropped };
}
