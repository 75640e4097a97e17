// Bug #117533: counts what a server acquires for each undo record that a consistent read follows.
// Read views stay open while all rows are updated, once and twice.
import { VERSIONS } from '../../web/contract/real-servers/undo-reads.mjs';
import { commonOptions } from './options.mjs';

const ROWS = 8192;
const SCAN = 'select sum(k) from t1';

export const undoReads = {
  experiment: 'undo_read',

  /** @param {import('./options.mjs').ServerKind} server */
  options: (server) => [
    ...commonOptions(server),
    '--innodb_buffer_pool_size=256M',
    '--innodb_flush_log_at_trx_commit=2',
    ...(server.isMariaDb || server.isBefore(8) ? [] : ['--skip-log-bin']),
  ],

  named: {},

  prepare: async () => {},

  /** Creates a new table for each run, so that no run sees versions of an earlier one. */
  async measure(session, { clients: count, seconds }) {
    await session.makeTables({ tables: 1, rows: ROWS });
    const order = { statement: 'scan', parameters: { sql: SCAN }, seconds };
    const setUp = [
      'set session transaction isolation level repeatable read',
      'start transaction with consistent snapshot',
      SCAN,
    ];
    const phases = await session.withClients({ count, setUp }, async (clients) => {
      const counted = [];
      for (const versions of VERSIONS) {
        if (versions > 0) await session.query('update t1 set k = k + 1');
        await session.flushTables(1);
        const phase = await session.count(`${versions} versions`, clients, order, 'scans');
        phase.operations.rows_scanned = phase.operations.scans * ROWS;
        phase.operations.undo_records_read = phase.operations.rows_scanned * versions;
        counted.push(phase);
      }
      return counted;
    });
    await session.dropTables(1);
    return phases;
  },

  cleanUp: async () => {},
};
