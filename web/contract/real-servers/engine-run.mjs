// Converts a run of the engine to the counts that a server reports for a phase.

/** The performance_schema instrument that corresponds to each of the engine's latches. */
const INSTRUMENT_OF = {
  'fil_system->mutex': 'wait/synch/mutex/innodb/fil_system_mutex',
  'Fil_shard::m_mutex': 'wait/synch/mutex/innodb/fil_system_mutex',
  'buf_pool->page_hash': 'wait/synch/sxlock/innodb/hash_table_locks',
  'buf_pool->mutex': 'wait/synch/mutex/innodb/buf_pool_mutex',
  'buf_pool->LRU_list_mutex': 'wait/synch/mutex/innodb/buf_pool_LRU_list_mutex',
  'buf_pool->free_list_mutex': 'wait/synch/mutex/innodb/buf_pool_free_list_mutex',
  'log_sys->mutex': 'wait/synch/mutex/innodb/log_sys_mutex',
  'dict_index_t::lock': 'wait/synch/sxlock/innodb/index_tree_rw_lock',
  'AIO::m_mutex': 'wait/synch/mutex/innodb/os_mutex',
  'purge_sys->latch': 'wait/synch/sxlock/innodb/trx_purge_latch',
  'trx_sys->mutex': 'wait/synch/mutex/innodb/trx_sys_mutex',
  'trx_sys->serialisation_mutex': 'wait/synch/mutex/innodb/trx_sys_serialisation_mutex',
  'trx_sys->shard_mutex': 'wait/synch/mutex/innodb/trx_sys_shard_mutex',
  sid_locks: 'wait/synch/mutex/sql/Gtid_state',
  global_tsid_lock: 'wait/synch/rwlock/sql/gtid_commit_rollback',
  LOCK_replica_trans_dep_tracker: 'wait/synch/mutex/sql/LOCK_replica_trans_dep_tracker',
  ...ofBinlog('log', 'sync', 'commit', 'after_commit', 'index', 'done', 'binlog_end_pos'),
  ...ofBinlog('flush_queue', 'sync_queue', 'commit_queue', 'after_commit_queue'),
};

function ofBinlog(...names) {
  return Object.fromEntries(
    names.map((name) => [`LOCK_${name}`, `wait/synch/mutex/sql/MYSQL_BIN_LOG::LOCK_${name}`]),
  );
}

/**
 * The engine's counter for each operation of an experiment.
 * @type {Record<string, Record<string, string>>}
 */
const ENGINE_COUNTERS = {
  page_read: { selects: 'transactions', pages_read: 'block_reads' },
  aio_slots_free: { asynchronous_reads: 'aio_reads_completed' },
  aio_array_full: { asynchronous_reads: 'aio_reads_completed' },
  undo_read: { rows_scanned: 'rows_scanned', undo_records_read: 'undo_reads' },
  group_commit: { commits: 'commits', commit_groups: 'commit_groups', rotations: 'binlog_files_rotated' },
  purge_stall: { commits_standing: 'slow_commits', longest_gap_ms: 'commit_gap_ms_max' },
  xa_commit: { commits: 'commits', commit_groups: 'commit_groups' },
};

/**
 * @typedef {object} EngineRun
 * @property {readonly { latch: string, acquisitions: number }[]} latches
 * @property {(counter: string) => number | undefined} count
 * @param {string} experiment
 * @param {string} phase
 * @param {EngineRun} run
 * @returns {import('./phases.mjs').Phase}
 */
export function phaseOfEngine(experiment, phase, { latches, count }) {
  /** @type {Record<string, { acquisitions: number }>} */
  const taken = {};
  for (const { latch, acquisitions } of latches) {
    const instrument = INSTRUMENT_OF[latch];
    if (instrument === undefined) continue;
    taken[instrument] = { acquisitions: acquisitions + (taken[instrument]?.acquisitions ?? 0) };
  }
  const operations = Object.entries(ENGINE_COUNTERS[experiment]).map(([name, counter]) => [
    name,
    count(counter) ?? 0,
  ]);
  return { phase, seconds: 1, operations: Object.fromEntries(operations), latches: taken };
}

/**
 * @param {import('./experiments.mjs').Measurable} measurable
 * @param {EngineRun} run
 * @returns {Record<string, number>} figures that this run provides, by name
 */
export function figuresOfEngineRun({ experiment, figuresOfRun }, run) {
  if (figuresOfRun === undefined) return {};
  const figures = figuresOfRun(phaseOfEngine(experiment, 'this run', run));
  return Object.fromEntries(Object.entries(figures).filter(([, value]) => Number.isFinite(value)));
}
