// Experiments that count what a server acquires for its commits.
import { binlogOptions } from './options.mjs';

const TABLES = 8;
const ROTATES_SELDOM = 2 ** 30;
/** About sixty of these commits. */
const ROTATES_OFTEN = 16_384;

const binlogFiles = async ({ query }) => (await query('show binary logs')).length;

/**
 * Bug #104615: counts what a server acquires for each commit, each commit group and each rotation of
 * the binary log.
 */
export const groupCommits = {
  experiment: 'group_commit',

  /** @param {import('./options.mjs').ServerKind} server */
  options: (server) => [...binlogOptions(server), '--innodb_flush_log_at_trx_commit=1'],

  named: { wants: { log_bin: 'ON' }, sets: { sync_binlog: 1, max_binlog_size: ROTATES_SELDOM } },

  prepare: (session) => session.makeTables({ tables: TABLES, rows: 0 }),

  async measure(session, { clients: count, seconds }) {
    const order = { statement: 'insert', parameters: { tables: TABLES }, seconds };
    return session.withClients({ count }, async (clients) => {
      const phase = async (name, maxBinlogSize) => {
        await session.set('max_binlog_size', maxBinlogSize);
        await clients.run({ ...order, seconds: seconds / 4 });
        const files = await binlogFiles(session);
        const counted = await session.count(name, clients, order, 'commits');
        counted.operations.rotations = (await binlogFiles(session)) - files;
        return counted;
      };
      return [await phase('no rotation', ROTATES_SELDOM), await phase('rotations', ROTATES_OFTEN)];
    });
  },

  cleanUp: (session) => session.dropTables(TABLES),
};

/** XA PREPARE also goes through the binary log. */
const COMMITS = 2;

/**
 * Bug #99638: counts what a server acquires for the two commits of each XA transaction, XA PREPARE
 * and XA COMMIT, and for each group.
 */
export const xaCommits = {
  experiment: 'xa_commit',

  /**
   * MySQL has written XA PREPARE to the binary log since 5.7, and has had the GTID persister since
   * 8.0.
   */
  suits: ({ isMariaDb, isBefore }) => !isMariaDb && !isBefore(8),

  /** @param {import('./options.mjs').ServerKind} server */
  options: (server) => [...binlogOptions(server), '--innodb_flush_log_at_trx_commit=2'],

  named: { wants: { log_bin: 'ON', gtid_mode: 'ON' }, sets: { sync_binlog: 1 } },

  prepare: (session) => session.makeTables({ tables: TABLES, rows: 0 }),

  async measure(session, { clients: count, seconds }) {
    const order = { statement: 'xa_insert', parameters: { tables: TABLES }, seconds };
    return session.withClients({ count }, async (clients) => {
      await clients.run({ ...order, seconds: seconds / 4 });
      const phase = await session.count('xa transactions', clients, order, 'xa_transactions');
      phase.operations.commits = COMMITS * phase.operations.xa_transactions;
      return [phase];
    });
  },

  cleanUp: (session) => session.dropTables(TABLES),
};
