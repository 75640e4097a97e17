// CPU time of the server's process per operation, of one client, with performance_schema off: what the engine's work costs are held
// against. It depends on the machine and on what else runs there, so the machine must be quiet.
import { binlogOptions } from './options.mjs';
import { pageReads, solve } from './page-reads.mjs';
import { undoReads } from './undo-reads.mjs';
import { xaCommits } from './xa-commits.mjs';

const NS_PER_US = 1000;

const TABLES = 8;
const ROWS = 8192;
const RANGE_ROWS = 100;
const INSERTS = 5;
const PASSES = 3;
/** What reading and syncing cost a disk's driver is not the server's work: pages come from the system's cache. */
const FROM_CACHE = ['--innodb_flush_method=fsync'];
const NEVER_SYNCED = ['--sync_binlog=0', '--innodb_flush_log_at_trx_commit=0'];

const costOf = (experiment, name, figures) => ({
  ...experiment,
  experiment: name,
  isCost: true,
  named: undefined,
  clients: () => [1],
  options: (server) => [...experiment.options(server), ...FROM_CACHE, '--performance_schema=OFF'],
  figures,
});

const operationsOf = (phases, ...names) =>
  names.map((name) => phases.find(({ phase }) => phase === name).operations);

export const pageReadCosts = costOf(pageReads, 'page_read_cpu', (phases) => {
  const [warm, cold] = operationsOf(phases, 'warm', 'cold');
  const cost = solve({ ...warm, taken: warm.cpu_us }, { ...cold, taken: cold.cpu_us });
  return { 'CPU us per select': cost.perSelect, 'CPU us per page read': cost.perPageRead };
});

export const undoReadCosts = costOf(undoReads, 'undo_read_cpu', (phases) => {
  const [none, once, twice] = operationsOf(phases, '0 versions', '1 versions', '2 versions');
  const perRow_us = none.cpu_us / none.rows_scanned;
  const beyond_us = once.cpu_us + twice.cpu_us - perRow_us * (once.rows_scanned + twice.rows_scanned);
  return {
    'CPU ns per row': perRow_us * NS_PER_US,
    'CPU ns per undo record read':
      (beyond_us * NS_PER_US) / (once.undo_records_read + twice.undo_records_read),
  };
});

const tableNames = Array.from({ length: TABLES }, (_, i) => `t${i + 1}`);

/** Whatever else the machine does can only add. */
async function cheapestOf(passes, measure) {
  let cheapest = null;
  for (let pass = 0; pass < passes; pass += 1) {
    const phase = await measure();
    if (cheapest === null || cpuPerOperation(phase) < cpuPerOperation(cheapest)) cheapest = phase;
  }
  return cheapest;
}

const cpuPerOperation = ({ operations }) => operations.cpu_us / operations.operations;

/**
 * Each statement alone, again and again, in phases that are called like the statements.
 * @param {string[]} names
 * @param {(table: string) => string[]} [setUpFor] what each client says of each table before
 */
const statementByStatement = (names, setUpFor = () => []) => ({
  async prepare(session) {
    await session.makeTables({ tables: TABLES, rows: ROWS });
    for (const table of tableNames) await session.query(`alter table ${table} add key k (k)`); // As sysbench has it.
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

const cpuOf = (phases, name) => cpuPerOperation(phases.find(({ phase }) => phase === name));

/** The ways to look a row up: the report's client said HANDLER READ. */
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
  (phases) => {
    const us = (name) => cpuOf(phases, name);
    return {
      'CPU us per statement that does nothing': us('nothing'),
      'CPU us per point select': us('point_select'),
      'CPU us per prepared point select': us('prepared_select') - us('set_variable'),
      'CPU us per HANDLER READ': us('handler_read'),
    };
  },
);

/** What sysbench's oltp.lua consists of. */
export const statementCosts = costOf(
  {
    scenario: 'binlog-purge-104615',
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
  (phases) => {
    const us = (name) => cpuOf(phases, name);
    const perInsert_us = (us('inserts') - us('one_insert')) / (INSERTS - 1);
    return {
      'CPU us per statement that does nothing': us('nothing'),
      'CPU us per point select': us('point_select'),
      'CPU ns per row of a range select':
        ((us('range_select') - us('point_select')) * NS_PER_US) / (RANGE_ROWS - 1),
      'CPU us per autocommit index update': us('index_update'),
      'CPU us per autocommit non-index update': us('non_index_update'),
      'CPU us per autocommit insert': us('insert'),
      'CPU us per autocommit insert without binary log': us('without_binlog'),
      'CPU us per insert within a transaction': perInsert_us,
      'CPU us per BEGIN and COMMIT': us('one_insert') - perInsert_us,
    };
  },
);

export const xaCosts = costOf(
  {
    scenario: 'xa-gtid-99638',
    suits: xaCommits.suits,
    options: (server) => [...binlogOptions(server), ...NEVER_SYNCED],
    ...statementByStatement(['nothing', 'one_insert', 'inserts', 'xa_insert', 'xa_rolled_back']),
  },
  'xa_cpu',
  (phases) => {
    const us = (name) => cpuOf(phases, name);
    const perInsert_us = (us('inserts') - us('one_insert')) / (INSERTS - 1);
    return {
      'CPU us per XA transaction of one insert': us('xa_insert'),
      'CPU us per XA transaction beside its insert': us('xa_insert') - perInsert_us,
      'CPU us per XA transaction beside its insert, rolled back': us('xa_rolled_back') - perInsert_us,
      'CPU us per BEGIN and COMMIT': us('one_insert') - perInsert_us,
    };
  },
);
