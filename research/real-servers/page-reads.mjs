// Bug #69276: counts what a server acquires for each page read, beyond what a select acquires that
// finds its pages in the buffer pool.
import { commonOptions } from './options.mjs';

const TABLES = 8;
const ROWS = 65_536;
/** Few enough rows for the smallest buffer pool. */
const WARM_ROWS = 1024;
const MIB = 2 ** 20;
/** Limit for servers that the user named. */
const POOL_MAX_MIB = 1024;
/** Approximate size of all tables, at 200 bytes a row. */
const DATA_MIB = 110;

export const pageReads = {
  experiment: 'page_read',

  /** @param {import('./options.mjs').ServerKind} server */
  options: (server) => [
    ...commonOptions(server),
    '--innodb_buffer_pool_size=24M',
    '--innodb_flush_method=O_DIRECT',
    '--innodb_flush_log_at_trx_commit=2',
    ...(server.isMariaDb || server.isBefore(8) ? [] : ['--skip-log-bin']),
  ],

  named: {
    obstacle: async (session) => {
      const poolMib = Number(await session.variable('innodb_buffer_pool_size')) / MIB;
      return poolMib > POOL_MAX_MIB
        ? `innodb_buffer_pool_size is ${poolMib} MiB; the experiment supports at most ${POOL_MAX_MIB} MiB`
        : null;
    },
  },

  /** Makes the tables three times as large as the buffer pool. */
  async prepare(session) {
    const poolMib = Number(await session.variable('innodb_buffer_pool_size')) / MIB;
    let rows = ROWS;
    while ((DATA_MIB * rows) / ROWS < 3 * poolMib) rows *= 2;
    await session.makeTables({ tables: TABLES, rows });
    return { rows };
  },

  /** @returns {Promise<import('./experiments.mjs').Phase[]>} */
  async measure(session, { clients: count, seconds, prepared }) {
    const order = (rows, duration) => ({
      statement: 'point_select',
      parameters: { tables: TABLES, rows },
      seconds: duration,
    });
    return session.withClients({ count }, async (clients) => {
      const phase = async (name, rows) => {
        await clients.run(order(rows, seconds / 2));
        return session.count(name, clients, order(rows, seconds), 'selects');
      };
      return [await phase('warm', WARM_ROWS), await phase('cold', prepared.rows)];
    });
  },

  cleanUp: (session) => session.dropTables(TABLES),
};
