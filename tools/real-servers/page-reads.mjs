// Bug #69276: what a server takes for each page it reads, beyond what a select takes that finds its pages in the buffer pool.
import { acquisitionsOf } from './phases.mjs';
import { commonOptions } from './options.mjs';

const TABLES = 8;
const ROWS = 65_536;
/** Few enough for the smallest buffer pool. */
const WARM_ROWS = 1024;
const MIB = 2 ** 20;
/** Of servers that the user named. */
const POOL_MAX_MIB = 1024;
/** Of all tables, roughly: 200 bytes a row. */
const DATA_MIB = 110;

/** Latches by what this project calls them; of others than the first a server may have none. */
const LATCHES = {
  fil_system: /\/fil_system_mutex$/,
  page_hash: /\/hash_table_locks$/,
  buf_pool: /\/buf_pool_mutex$/,
  LRU_list: /\/buf_pool_LRU_list_mutex$/,
  free_list: /\/buf_pool_free_list_mutex$/,
  log_sys: /\/log_sys_mutex$/,
};
const ALWAYS_COUNTED = ['fil_system'];
/** Those that a select takes without reading a page. */
const LATCHES_OF_A_SELECT = {
  page_hash: LATCHES.page_hash,
  index_lock: /\/index_tree_rw_lock$/,
};

/**
 * Both phases read pages, the warm one next to none, so what a select takes and what a page read takes come out of two equations.
 * @param {import('./experiments.mjs').Phase[]} phases
 * @returns {Record<string, number>} by figure
 */
function figures(phases) {
  const [warm, cold] = ['warm', 'cold'].map((name) => phases.find(({ phase }) => phase === name));
  const solved = (pattern) => {
    const [taken, takenCold] = [warm, cold].map((phase) => acquisitionsOf(phase, pattern));
    return {
      seen: taken + takenCold > 0,
      ...solve({ ...warm.operations, taken }, { ...cold.operations, taken: takenCold }),
    };
  };
  const found = {};
  for (const [latch, pattern] of Object.entries(LATCHES)) {
    const { seen, perPageRead } = solved(pattern);
    if (seen || ALWAYS_COUNTED.includes(latch)) found[`${latch} per page read`] = perPageRead;
  }
  for (const [latch, pattern] of Object.entries(LATCHES_OF_A_SELECT)) {
    const { seen, perSelect } = solved(pattern);
    if (seen) found[`${latch} per select`] = perSelect;
  }
  return found;
}

/** @returns {{ perSelect: number, perPageRead: number }} from `taken` of two phases */
export function solve(a, b) {
  const determinant = a.selects * b.pages_read - b.selects * a.pages_read;
  return {
    perSelect: (a.taken * b.pages_read - b.taken * a.pages_read) / determinant,
    perPageRead: (a.selects * b.taken - b.selects * a.taken) / determinant,
  };
}

export const pageReads = {
  experiment: 'page_read',
  scenario: 'fil-mutex-69276',

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
      const pool_mib = Number(await session.variable('innodb_buffer_pool_size')) / MIB;
      return pool_mib > POOL_MAX_MIB
        ? `innodb_buffer_pool_size is ${pool_mib} MiB; up to ${POOL_MAX_MIB} MiB are filled and read past`
        : null;
    },
  },

  /** How many times as many rows a server needs whose buffer pool is larger. */
  async prepare(session) {
    const pool_mib = Number(await session.variable('innodb_buffer_pool_size')) / MIB;
    let rows = ROWS;
    while ((DATA_MIB * rows) / ROWS < 3 * pool_mib) rows *= 2;
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
  figures,
};
