// What a server takes to commit in groups.
import { acquisitionsOf } from './phases.mjs';

const ofBinlog = (name) => new RegExp(`::${name}$`);

/**
 * Of each latch what it is counted by. What is taken once by each commit and more often by the group is counted by the group, without
 * the one of each commit: so the counts do not depend on how many commits a group happens to have.
 */
const LATCHES = {
  LOCK_done: { pattern: ofBinlog('LOCK_done'), by: 'commit' },
  LOCK_flush_queue: { pattern: ofBinlog('LOCK_flush_queue'), by: 'group beyond commits' },
  LOCK_sync_queue: { pattern: ofBinlog('LOCK_sync_queue'), by: 'group' },
  LOCK_commit_queue: { pattern: ofBinlog('LOCK_commit_queue'), by: 'group' },
  LOCK_after_commit_queue: { pattern: ofBinlog('LOCK_after_commit_queue'), by: 'group' },
  LOCK_after_commit: { pattern: ofBinlog('LOCK_after_commit'), by: 'group' },
  LOCK_log: { pattern: ofBinlog('LOCK_log'), by: 'group' },
  LOCK_sync: { pattern: ofBinlog('LOCK_sync'), by: 'group' },
  LOCK_binlog_end_pos: { pattern: ofBinlog('LOCK_binlog_end_pos'), by: 'group' },
  sid_locks: { pattern: /\/Gtid_state$/, by: 'group' },
  tsid_lock: { pattern: /\/gtid_commit_rollback$/, by: 'group beyond commits' },
  dependency_tracker: { pattern: /LOCK_(replica|slave)_trans_dep_tracker$/, by: 'commit' },
  trx_sys: { pattern: /\/trx_sys_(mutex|shard_mutex|serialisation_mutex)$/, by: 'commit' },
};

/** MySQL takes LOCK_commit once a group; MariaDB counts its groups itself. */
export const groupsOf = (phase) =>
  phase.operations.commit_groups ?? acquisitionsOf(phase, ofBinlog('LOCK_commit'));

/**
 * @param {import('./phases.mjs').Phase} phase
 * @param {string[]} [leaveOut] latches that are counted by something else
 * @returns {Record<string, number>} by figure
 */
export function commitFigures(phase, leaveOut = []) {
  const { commits } = phase.operations;
  const groups = groupsOf(phase);
  const ways = {
    commit: (taken) => taken / commits,
    group: (taken) => taken / groups,
    'group beyond commits': (taken) => (taken - commits) / groups,
  };
  const found = {};
  for (const [latch, { pattern, by }] of Object.entries(LATCHES)) {
    const taken = acquisitionsOf(phase, pattern);
    if (taken > 0 && !leaveOut.includes(latch)) found[`${latch} per ${by}`] = ways[by](taken);
  }
  return found;
}
