// A connection through which experiments control a server, local or named by the user.
import { Clients } from './clients.mjs';
import { connect } from './connect.mjs';
import { between, snapshot } from './performance-schema.mjs';

/** Settings that are recorded with the counts, if the server has them. */
const SETTINGS_SHOWN = [
  'binlog_format',
  'binlog_order_commits',
  'enforce_gtid_consistency',
  'gtid_mode',
  'innodb_adaptive_hash_index',
  'innodb_buffer_pool_instances',
  'innodb_buffer_pool_size',
  'innodb_change_buffering',
  'innodb_file_per_table',
  'innodb_flush_log_at_trx_commit',
  'innodb_flush_method',
  'innodb_page_size',
  'innodb_random_read_ahead',
  'innodb_read_io_threads',
  'innodb_use_native_aio',
  'innodb_write_io_threads',
  'log_bin',
  'log_slave_updates',
  'max_binlog_size',
  'sync_binlog',
  'thread_handling',
  'transaction_isolation',
  'tx_isolation',
];

/**
 * A server that waits for its client sleeps and is woken. That costs as much as a statement but is
 * not the server's work, so operations are sent in batches.
 */
const COSTS_BATCH = 100;

const namesOf = (tables) => Array.from({ length: tables }, (_, i) => `t${i + 1}`).join(', ');

export class Session {
  #connection;
  #guard;
  #cpu_us;

  /**
   * @param {import('./connect.mjs').Address} address `database`: an existing database to work in
   * @param {{ set: (variable: string, value: string | number, session: Session) => Promise<void> }}
   *   guard sets variables, if allowed
   */
  static async open(address, guard) {
    return new Session(await connect(address), address, guard);
  }

  constructor(connection, address, guard) {
    this.#connection = connection;
    this.#guard = guard;
    this.address = address;
  }

  /** @returns {Promise<any>} rows */
  query = async (sql) => (await this.#connection.query(sql))[0];

  async variable(name) {
    const [row] = await this.query(`show global variables like '${name}'`);
    return row?.Value;
  }

  /** Makes all later phases include the server's CPU time. */
  measureCpu(cpuUs) {
    this.#cpu_us = cpuUs;
  }

  /**
   * Sets a global variable through the guard, which decides whether that is allowed and restores
   * it.
   */
  set(variable, value) {
    return this.#guard.set(variable, value, this);
  }

  async facts() {
    const [{ version, comment }] = await this.query(
      'select version() as version, @@version_comment as comment',
    );
    const rows = await this.query(
      `show global variables where variable_name in (${SETTINGS_SHOWN.map((name) => `'${name}'`).join(',')})`,
    );
    return {
      version,
      comment,
      settings: Object.fromEntries(rows.map((row) => [row.Variable_name.toLowerCase(), row.Value])),
    };
  }

  /**
   * Creates tables like sysbench's: t1, t2 and so on, with rows 1 to `rows`.
   *
   * REQUIRES: `rows` is 0 or a power of two.
   * @param {{ tables: number, rows: number }} size
   */
  async makeTables({ tables, rows }) {
    for (let table = 1; table <= tables; table += 1) {
      await this.query(
        `create table t${table} (id int not null auto_increment primary key, k int not null default 0, ` +
          "c char(120) not null default '', pad char(60) not null default '') engine = innodb stats_auto_recalc = 0",
      );
      if (rows === 0) continue;
      await this.query(`insert into t${table} values (1, 1, repeat('c', 119), repeat('p', 59))`);
      for (let filled = 1; filled < rows; filled *= 2)
        await this.query(`insert into t${table} select id + ${filled}, k, c, pad from t${table}`);
    }
    if (rows > 0) await this.flushTables(tables);
  }

  /**
   * Writes all dirty pages of the tables now, so that the server does not write them during a
   * count.
   */
  async flushTables(tables) {
    await this.query(`flush tables ${namesOf(tables)} for export`);
    await this.query('unlock tables');
  }

  async dropTables(tables) {
    await this.query(`drop table if exists ${namesOf(tables)}`);
  }

  /**
   * @template T
   * @param {{ count: number, setUp?: string[] }} clients
   * @param {(clients: Clients) => Promise<T>} work
   * @returns {Promise<T>}
   */
  async withClients(clients, work) {
    const opened = await Clients.open(this.address, { ...clients, batch: this.#cpu_us ? COSTS_BATCH : 1 });
    try {
      return await work(opened);
    } finally {
      await opened.close();
    }
  }

  /**
   * Runs the clients and counts what the server acquires meanwhile. No operation is in progress
   * when counting begins or ends.
   * @param {string} phase
   * @param {Clients} clients
   * @param {import('./clients.mjs').Order} order
   * @param {string} operation the name of the clients' operation
   */
  async count(phase, clients, order, operation) {
    const before = await snapshot(this.query);
    const cpuBeforeUs = this.#cpu_us?.();
    const beganMs = Date.now();
    const { operations } = await clients.run(order);
    const seconds = (Date.now() - beganMs) / 1000;
    const cpuUs = this.#cpu_us?.();
    const { latches, status } = between(before, await snapshot(this.query));
    const cost = this.#cpu_us && { cpu_us: cpuUs - cpuBeforeUs };
    return { phase, seconds, operations: { [operation]: operations, ...status, ...cost }, latches };
  }

  close() {
    return this.#connection.end();
  }
}
