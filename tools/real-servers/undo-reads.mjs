// Bug #117533: what a server takes for each undo record that a consistent read follows. Read views are held open while all rows are
// updated once and twice.
import { commonOptions } from './options.mjs';
import { acquisitionsOf } from './phases.mjs';

const ROWS = 8192;
const SCAN = 'select sum(k) from t1';
const VERSIONS = [0, 1, 2];

const LATCHES = {
  fil_system: /\/fil_system_mutex$/,
  page_hash: /\/hash_table_locks$/,
  trx_purge_latch: /\/trx_purge_latch$/,
};
const ALWAYS_COUNTED = ['fil_system', 'trx_purge_latch'];

/** @param {import('./phases.mjs').Phase[]} phases */
function figures(phases) {
  const [none, ...more] = VERSIONS.map((n) => phases.find(({ phase }) => phase === `${n} versions`));
  const found = {};
  for (const [latch, pattern] of Object.entries(LATCHES)) {
    const perRow = acquisitionsOf(none, pattern) / none.operations.rows_scanned;
    const beyond = ({ operations, ...phase }) =>
      acquisitionsOf(phase, pattern) - perRow * operations.rows_scanned;
    if (ALWAYS_COUNTED.includes(latch) || phases.some((phase) => acquisitionsOf(phase, pattern) > 0))
      found[`${latch} per undo record read`] =
        sum(more.map(beyond)) / sum(more.map(({ operations }) => operations.undo_records_read));
  }
  return found;
}

const sum = (values) => values.reduce((total, value) => total + value, 0);

export const undoReads = {
  experiment: 'undo_read',
  scenario: 'undo-read-117533',

  /** @param {import('./options.mjs').ServerKind} server */
  options: (server) => [
    ...commonOptions(server),
    '--innodb_buffer_pool_size=256M',
    '--innodb_flush_log_at_trx_commit=2',
    ...(server.isMariaDb || server.isBefore(8) ? [] : ['--skip-log-bin']),
  ],

  named: {},

  prepare: async () => {},

  /** Every run has a table of its own, so that none has versions of the one before. */
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
  figures,
};
