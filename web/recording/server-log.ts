import type { ServerLog } from '../contract/page-readings';
import type { NewLines } from '../engine-client/snapshot';

/** A thousand entries of a slow query log; older lines are dropped. */
export const SERVER_LOG_LINES_KEPT = 5_000;

export const emptyServerLog: ServerLog = { lines: [], left_out: 0 };

export function extendServerLog(log: ServerLog, { lines, missed }: NewLines): ServerLog {
  const all = [...log.lines, ...lines];
  const dropped = Math.max(0, all.length - SERVER_LOG_LINES_KEPT);
  return { lines: all.slice(dropped), left_out: log.left_out + missed + dropped };
}
