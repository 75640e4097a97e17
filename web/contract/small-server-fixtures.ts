import type { RunSpec } from './run-spec.ts';

/**
 * Parameters for tests, by bug: a server for up to 16 clients that takes a tenth of the time to
 * build, and little memory.
 */
export const small_server: Readonly<Record<string, RunSpec['parameters']>> = {
  'fil-mutex-69276': { tables: 2, rows_per_table: 10_000, buffer_pool_mib: 5 },
  'aio-wakeup-95491': {
    tables: 2,
    rows_per_table: 20_000,
    buffer_pool_mib: 6,
    slots_per_segment: 4,
    read_io_threads: 2,
  },
  'xa-gtid-99638': { rows_per_table: 5_000 },
  'binlog-purge-104615': {
    rows_per_table: 1_000,
    old_binlogs_gib: 3,
    unlink_ms_per_gib: 100,
    long_query_time_ms: 50,
    max_binlog_size_kib: 256,
  },
  'undo-read-117533': { rows: 1_000 },
};
