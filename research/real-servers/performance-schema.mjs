// Reads a server's counts of its latches and work, and computes the difference between two
// snapshots.

/** This project's names for variables of `show global status`. */
const STATUS = {
  Innodb_pages_read: 'pages_read',
  Innodb_buffer_pool_read_ahead: 'pages_read_ahead_linear',
  Innodb_buffer_pool_read_ahead_rnd: 'pages_read_ahead_random',
  Binlog_commits: 'commits_logged',
  Binlog_group_commits: 'commit_groups',
};

/**
 * MySQL 5.6 counts the waits of a mutex by the file and line that create it. Each of these files
 * creates one mutex.
 */
const MUTEX_OF_FILE = { 'fil0fil.cc': 'wait/synch/mutex/innodb/fil_system_mutex' };

/**
 * @typedef {{ acquisitions: Record<string, number>, waits: Record<string, number>, status:
 *   Record<string, number> }} Snapshot `acquisitions` by instrument; for conditions the count is
 *   the number of waits
 */

/**
 * @param {(sql: string) => Promise<object[]>} query
 * @returns {Promise<Snapshot>}
 */
export async function snapshot(query) {
  const latches = await query(
    'select event_name as name, count_star as n from performance_schema.events_waits_summary_global_by_event_name ' +
      "where event_name like 'wait/synch/%' and count_star > 0",
  );
  const names = Object.keys(STATUS)
    .map((name) => `'${name}'`)
    .join(',');
  const status = await query(`show global status where variable_name in (${names})`);
  return {
    acquisitions: Object.fromEntries(latches.map(({ name, n }) => [name, Number(n)])),
    waits: await waits(query),
    status: Object.fromEntries(status.map((row) => [STATUS[row.Variable_name], Number(row.Value)])),
  };
}

/** Returns the waits of each mutex. Without the PROCESS privilege the result is empty. */
async function waits(query) {
  let rows;
  try {
    rows = await query('show engine innodb mutex');
  } catch (error) {
    if (error.errno === undefined) throw error;
    return {};
  }
  const known = rows.flatMap(({ Name, Status }) => {
    const instrument = MUTEX_OF_FILE[String(Name).split(':')[0].replace(/^&/, '')];
    const [, count] = /^os_waits=(\d+)$/.exec(Status) ?? [];
    return instrument && count ? [[instrument, Number(count)]] : [];
  });
  return Object.fromEntries(known);
}

/**
 * @param {Snapshot} before
 * @param {Snapshot} after
 * @returns {{ latches: Record<string, { acquisitions: number, waits?: number }>, status:
 *   Record<string, number> }} `latches`: those acquired between the snapshots
 */
export function between(before, after) {
  const latches = {};
  for (const [name, count] of Object.entries(after.acquisitions)) {
    const acquisitions = count - (before.acquisitions[name] ?? 0);
    if (acquisitions === 0) continue;
    const waited = after.waits[name];
    latches[name] = {
      acquisitions,
      ...(waited === undefined ? {} : { waits: waited - (before.waits[name] ?? 0) }),
    };
  }
  const status = Object.fromEntries(
    Object.entries(after.status).map(([name, count]) => [name, count - before.status[name]]),
  );
  return { latches, status };
}
