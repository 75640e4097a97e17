// Bug #95491: counts how often a server with simulated asynchronous I/O acquires the mutexes of the
// I/O arrays per page read ahead. One experiment has free slots, the other a full array.
import { commonOptions } from './options.mjs';

const TABLES = 8;
const ROWS = 65_536;
/** Several passes, because how often the array fills, and which thread comes first, varies. */
const PASSES = [1, 2, 3, 4, 5, 6];
/** Scans tables that do not fit into the buffer pool, with random read-ahead. */
const aioReads = ({ experiment, readThreads, page_read_us, clients }) => ({
  experiment,
  clients: () => [clients],
  slowDisk: { page_read_us },

  /**
   * Later versions do not count these mutexes. MariaDB since 10.5 has no simulated I/O of this
   * kind.
   */
  suits: ({ name }) => name === 'mysql-5.6',

  /** @param {import('./options.mjs').ServerKind} server */
  options: (server) => [
    ...commonOptions(server),
    '--innodb_buffer_pool_size=32M',
    '--innodb_use_native_aio=OFF',
    '--innodb_flush_method=O_DIRECT',
    `--innodb_read_io_threads=${readThreads}`,
    '--innodb_random_read_ahead=ON',
    '--innodb_flush_log_at_trx_commit=2',
  ],

  prepare: (session) => session.makeTables({ tables: TABLES, rows: ROWS }),

  measure: (session, { clients: count, seconds }) =>
    session.withClients({ count }, async (opened) => {
      const order = { statement: 'scan_any', parameters: { tables: TABLES }, seconds };
      await opened.run(order);
      const phases = [];
      for (const pass of PASSES) {
        const phase = await session.count(`pass ${pass}`, opened, order, 'scans');
        const { pages_read_ahead_random, pages_read_ahead_linear } = phase.operations;
        phase.operations.asynchronous_reads = pages_read_ahead_random + pages_read_ahead_linear;
        phases.push(phase);
      }
      return phases;
    }),

  cleanUp: (session) => session.dropTables(TABLES),
});

export const aioWithSlots = aioReads({
  experiment: 'aio_slots_free',
  readThreads: 4,
  page_read_us: 0,
  clients: 8,
});

export const aioWithFullArray = aioReads({
  experiment: 'aio_array_full',
  readThreads: 1,
  page_read_us: 500,
  clients: 16,
});
