// Counts acquisitions of group commit: bugs #99638 and #104615.
import { acquisitionsOf, phasesNamed } from './phases.mjs';

const ofBinlog = (name) => new RegExp(`::${name}$`);

/**
 * Returns the number of groups in each stage. A leader that finds the next stage's queue occupied
 * becomes a follower, so a stage has at most as many groups as the one before. MySQL acquires a
 * stage's queue once for each group that enters and once for each that leaves. It acquires
 * LOCK_commit once for each group that leaves the last stage. MariaDB counts its groups itself.
 * @param {import('./phases.mjs').Phase} phase
 */
function groupsOf(phase) {
  const taken = (name) => acquisitionsOf(phase, ofBinlog(name));
  const { commit_groups } = phase.operations;
  if (taken('LOCK_commit_queue') === 0)
    return { flush: commit_groups, sync: commit_groups, commit: commit_groups };
  const commit = taken('LOCK_commit');
  const sync = taken('LOCK_commit_queue') - commit;
  return { flush: taken('LOCK_sync_queue') - sync, sync, commit };
}

/**
 * Each latch with its figure. Some figures exclude the acquisitions that every commit or group
 * needs, so that they do not depend on the number of commits per group.
 * @type {Record<string, { pattern: RegExp, figure: string, value: (taken: number, n: { commits: number, flush: number, sync: number, commit: number }) => number }>}
 */
const LATCHES = {
  done: {
    pattern: ofBinlog('LOCK_done'),
    figure: 'LOCK_done per commit',
    value: (taken, { commits }) => taken / commits,
  },
  flush_queue: {
    pattern: ofBinlog('LOCK_flush_queue'),
    figure: 'LOCK_flush_queue per flush group, beyond one per commit',
    value: (taken, { commits, flush }) => (taken - commits) / flush,
  },
  log: {
    pattern: ofBinlog('LOCK_log'),
    figure: 'LOCK_log per flush group',
    value: (taken, { flush }) => taken / flush,
  },
  sync: {
    pattern: ofBinlog('LOCK_sync'),
    figure: 'LOCK_sync per sync group',
    value: (taken, { sync }) => taken / sync,
  },
  binlog_end_pos: {
    pattern: ofBinlog('LOCK_binlog_end_pos'),
    figure: 'LOCK_binlog_end_pos per sync group',
    value: (taken, { sync }) => taken / sync,
  },
  after_commit_queue: {
    pattern: ofBinlog('LOCK_after_commit_queue'),
    figure: 'LOCK_after_commit_queue per commit group',
    value: (taken, { commit }) => taken / commit,
  },
  after_commit: {
    pattern: ofBinlog('LOCK_after_commit'),
    figure: 'LOCK_after_commit per commit group',
    value: (taken, { commit }) => taken / commit,
  },
  sid_locks: {
    pattern: /\/Gtid_state$/,
    figure: 'sid_locks per commit group, beyond one per flush group',
    value: (taken, { flush, commit }) => (taken - flush) / commit,
  },
  tsid_lock: {
    pattern: /\/gtid_commit_rollback$/,
    figure: 'tsid lock per commit, beyond one per flush and commit group',
    value: (taken, { commits, flush, commit }) => (taken - flush - commit) / commits,
  },
  dependency_tracker: {
    pattern: /LOCK_(replica|slave)_trans_dep_tracker$/,
    figure: 'dependency tracker per commit',
    value: (taken, { commits }) => taken / commits,
  },
  trx_sys: {
    pattern: /\/trx_sys_(mutex|shard_mutex|serialisation_mutex)$/,
    figure: 'trx_sys per commit',
    value: (taken, { commits }) => taken / commits,
  },
};

/**
 * @param {import('./phases.mjs').Phase} phase
 * @returns {Record<string, number>} by figure
 */
export function commitFigures(phase) {
  const n = { commits: phase.operations.commits, ...groupsOf(phase) };
  const found = {};
  for (const { pattern, figure, value } of Object.values(LATCHES)) {
    const taken = acquisitionsOf(phase, pattern);
    if (taken > 0) found[figure] = value(taken, n);
  }
  return found;
}

/** Returns acquisitions per rotation: all acquisitions, less one for each group. */
function rotationFigures(without, rotating) {
  const { rotations } = rotating.operations;
  const { flush, sync } = groupsOf(rotating);
  const takenIn = (phase, name) => acquisitionsOf(phase, new RegExp(`::${name}$`));
  const taken = (name) => takenIn(rotating, name);
  return {
    'LOCK_index per rotation': (taken('LOCK_index') - takenIn(without, 'LOCK_index')) / rotations,
    'LOCK_log per rotation': (taken('LOCK_log') - flush) / rotations,
    ...(taken('LOCK_sync') > 0 ? { 'LOCK_sync per rotation': (taken('LOCK_sync') - sync) / rotations } : {}),
  };
}

/** @param {import('./phases.mjs').Phase[]} phases */
export function groupCommitFigures(phases) {
  const [without, rotating] = phasesNamed(phases, 'no rotation', 'rotations');
  return { ...commitFigures(without), ...rotationFigures(without, rotating) };
}

/** @param {import('./phases.mjs').Phase[]} phases */
export const xaCommitFigures = (phases) => commitFigures(phasesNamed(phases, 'xa transactions')[0]);
