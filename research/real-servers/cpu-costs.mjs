// Measures the CPU time of the server process per operation, with one client and performance_schema
// off. The engine's work costs are checked against it. The result depends on the machine and its
// load, so the machine must be quiet.
import { cpuPerOperation, INSERTS, RANGE_ROWS } from '../../web/contract/real-servers/statement-costs.mjs';
import { binlogOptions } from './options.mjs';
import { pageReads } from './page-reads.mjs';
import { undoReads } from './undo-reads.mjs';
import { xaCommits } from './commits.mjs';

const TABLES = 8;
const ROWS = 8192;
const PASSES = 3;
/**
 * Options that keep the disk driver's CPU time, which is not the server's work, out of the
 * measurement: pages come from the system's cache.
 */
const FROM_CACHE = ['--innodb_flush_method=fsync'];
const NEVER_SYNCED = ['--sync_binlog=0', '--innodb_flush_log_at_trx_commit=0'];

const costOf = (experiment, name) => ({
  ...experiment,
  experiment: name,
  named: undefined,
  clients: () => [1],
  options: (server) => [...experiment.options(server), ...FROM_CACHE, '--performance_schema=OFF'],
});

export const pageReadCosts = costOf(pageReads, 'page_read_cpu');

export const undoReadCosts = costOf(undoReads, 'undo_read_cpu');

const tableNames = Array.from({ length: TABLES }, (_, i) => `t${i + 1}`);

/** Returns the phase with the lowest cost: other load of the machine can only add time. */
async function cheapestOf(passes, measure) {
  let cheapest = null;
  for (let pass = 0; pass < passes; pass += 1) {
    const phase = await measure();
    if (cheapest === null || cpuPerOperation(phase) < cpuPerOperation(cheapest)) cheapest = phase;
  }
  return cheapest;
}

/**
 * Measures each statement alone, in a phase named after it.
 * @param {string[]} names
 * @param {(table: string) => string[]} [setUpFor] statements that each client sends for each table
 *   first
 */
const statementByStatement = (names, setUpFor = () => []) => ({
  async prepare(session) {
    await session.makeTables({ tables: TABLES, rows: ROWS });
    // As in sysbench's tables.
    for (const table of tableNames) await session.query(`alter table ${table} add key k (k)`);
  },

  measure: (session, { clients: count, seconds }) =>
    session.withClients({ count, setUp: tableNames.flatMap(setUpFor) }, async (clients) => {
      const phases = [];
      for (const statement of names) {
        const parameters = { tables: TABLES, rows: ROWS, range: RANGE_ROWS, inserts: INSERTS };
        const order = { statement, parameters, seconds };
        await clients.run({ ...order, seconds: seconds / 4 });
        phases.push(await cheapestOf(PASSES, () => session.count(statement, clients, order, 'operations')));
      }
      return phases;
    }),

  cleanUp: (session) => session.dropTables(TABLES),
});

/** The ways to look up a row. The report's client used HANDLER READ. */
export const lookupCosts = costOf(
  {
    ...pageReads,
    ...statementByStatement(
      ['nothing', 'point_select', 'handler_read', 'set_variable', 'prepared_select'],
      (table) => [
        `handler ${table} open`,
        `prepare select${table.slice(1)} from 'select c from ${table} where id = ?'`,
      ],
    ),
  },
  'lookup_cpu',
);

/** The statements of sysbench's oltp.lua. */
export const statementCosts = costOf(
  {
    options: (server) => [...binlogOptions(server), ...NEVER_SYNCED],
    ...statementByStatement([
      'nothing',
      'point_select',
      'range_select',
      'index_update',
      'non_index_update',
      'insert',
      'one_insert',
      'inserts',
      'without_binlog',
    ]),
  },
  'statement_cpu',
);

export const xaCosts = costOf(
  {
    suits: xaCommits.suits,
    options: (server) => [...binlogOptions(server), ...NEVER_SYNCED],
    ...statementByStatement(['nothing', 'one_insert', 'inserts', 'xa_insert', 'xa_rolled_back']),
  },
  'xa_cpu',
);
