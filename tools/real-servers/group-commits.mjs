// Bug #104615: counts what a server acquires for each commit, each commit group and each rotation
// of the binary log.
import { binlogOptions } from './options.mjs';

const TABLES = 8;
const ROTATES_SELDOM = 2 ** 30;
/** About sixty of these commits. */
const ROTATES_OFTEN = 16_384;

const binlogFiles = async ({ query }) => (await query('show binary logs')).length;

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
