// Defines how each scenario breaks and is fixed, judged by counters, never by speed.
import type { LiveView } from '../web/contract/live-view';
import type { RunResult } from '../web/contract/run-result';

/** Live figures by name, since the last mark unless stated otherwise. */
export interface Seen {
  /** Growth of a counter per second. */
  perSecond: (counter: string) => number;
  /** Growth of a counter since the run began. */
  total: (counter: string) => number;
  /** Acquisitions of a latch per operation of the scenario. */
  perOperation: (latch: string) => number;
}

export interface ScenarioCase {
  id: string;
  bug: number;
  /** Small enough for a busy machine with two cores. */
  threads: number;
  parameters: Record<string, number>;
  /** Buttons that provoke the bug, as in the report's how-to-repeat. */
  actions: string[];
  /** Whether the original design shows the bug. */
  isBroken: (seen: Seen) => boolean;
  /** Whether the bug is gone with the design `fixed`. */
  isHealed: (seen: Seen) => boolean;
  /** A tab of the evidence, and what it shows while the bug is present. */
  evidence: { tab: string; shows: RegExp[] };
  /** Invariants that hold only if the knobs of `fixed` took effect. */
  fixedInvariant: RegExp;
}

export const scenarioCases: ScenarioCase[] = [
  {
    id: 'fil-mutex-69276',
    bug: 69276,
    threads: 4,
    parameters: { tables: 2, rows_per_table: 10_000, buffer_pool_mib: 4 },
    actions: ['Halve the buffer pool'],
    isBroken: ({ perOperation }) => perOperation('fil_system->mutex') > 5,
    isHealed: ({ perSecond, perOperation }) =>
      perSecond('block_reads') > 0 && perOperation('fil_system->mutex') === 0,
    evidence: { tab: 'Stacks', shows: [/fil_io|fil_space_get_version/, /common frames/] },
    fixedInvariant: /atomic_word/,
  },
  {
    id: 'aio-wakeup-95491',
    bug: 95491,
    threads: 12,
    parameters: {
      tables: 2,
      rows_per_table: 20_000,
      buffer_pool_mib: 6,
      slots_per_segment: 4,
      read_io_threads: 2,
    },
    actions: ['Empty the buffer pool'],
    isBroken: ({ perSecond }) =>
      perSecond('slot_waits') > 0 && perSecond('handler_wake_calls') > 2 * perSecond('aio_reads_completed'),
    // Each wake-up belongs to one request. A reading may happen between the two.
    isHealed: ({ perSecond }) =>
      perSecond('aio_reads_completed') > 0 &&
      perSecond('handler_wake_calls') < 1.1 * perSecond('aio_reads_completed'),
    evidence: {
      tab: 'CPU',
      shows: [/clients last \d/, /of it is spent polling a latch/, /(fil_io|buf_page_get_gen)[\d.]+\s%/],
    },
    fixedInvariant: /wake_touched_segments/,
  },
  {
    id: 'xa-gtid-99638',
    bug: 99638,
    threads: 8,
    parameters: { rows_per_table: 5_000 },
    actions: ['Halve the XA clients', 'Double the XA clients'],
    // One wait per XA COMMIT, not counting those in progress. An invariant checks the exact count
    // at the end.
    isBroken: ({ perSecond }) =>
      perSecond('xa_commits') > 0 && perSecond('gtid_flush_waits') > 0.5 * perSecond('xa_commits'),
    isHealed: ({ perSecond }) => perSecond('xa_commits') > 0 && perSecond('gtid_flush_waits') === 0,
    evidence: {
      tab: 'Blocked',
      shows: [
        /Blocks other threads.*holding LOCK_commit/,
        /#0\s*Clone_Sys::wait/,
        /Clone_persist_gtid::wait_flush/,
        /MYSQL_BIN_LOG::ordered_commit/,
      ],
    },
    fixedInvariant: /reserved_undo_slot/,
  },
  {
    id: 'binlog-purge-104615',
    bug: 104615,
    threads: 4,
    parameters: {
      rows_per_table: 1_000,
      old_binlogs_gib: 3,
      unlink_ms_per_gib: 100,
      long_query_time_ms: 50,
      max_binlog_size_kib: 256,
    },
    actions: ['Expire binary logs after 1 s', 'FLUSH BINARY LOGS'],
    // It happens once, and a busy machine may take no reading in that second.
    isBroken: ({ total }) => total('binlog_files_purged') > 0 && total('slow_commits') > 0,
    isHealed: ({ perSecond }) => perSecond('commits') > 0 && perSecond('binlog_files_purged') > 0,
    evidence: {
      tab: 'Server log',
      shows: [
        /# User@Host: root\[root\] @ localhost \[\] {2}Id: +\d+\n# Query_time: \d+\.\d{6} {2}Lock_time: 0\.000000 Rows_sent: 0 {2}Rows_examined: 0\nSET timestamp=\d+;\nCOMMIT;/,
      ],
    },
    fixedInvariant: /purge by a thread/,
  },
  {
    id: 'undo-read-117533',
    bug: 117533,
    threads: 3,
    parameters: { rows: 1_000 },
    actions: ['UPDATE sbtest1 SET k=k+1'],
    isBroken: ({ perSecond, perOperation }) =>
      perSecond('undo_reads') > 0 && perOperation('Fil_shard::m_mutex') > 0.9,
    isHealed: ({ perSecond, perOperation }) =>
      perSecond('undo_reads') > 0 && perOperation('Fil_shard::m_mutex') < 0.1,
    evidence: {
      tab: 'sysbench',
      shows: [
        /\[ \d+s \] thds: 3 tps: [\d.]+ qps: [\d.]+ \(r\/w\/o: [\d.]+\/[\d.]+\/[\d.]+\) lat \(ms,99%\): [\d.–]+ err\/s: 0\.00 reconn\/s: 0\.00/,
      ],
    },
    fixedInvariant: /cached \+ sharded_view_guard/,
  },
];

export function linkOf({ id, threads, parameters }: ScenarioCase): string {
  const values = Object.entries(parameters).map(([name, value]) => `&parameters.${name}=${value}`);
  return `#v=1&scenario=${id}&threads=${threads}${values.join('')}`;
}

export function seenIn({ counters, counts, latch_rows }: LiveView): Seen {
  return {
    perSecond: (name) => counters.find((counter) => counter.name === name)?.per_s ?? Number.NaN,
    total: (name) => counts[name]?.total ?? Number.NaN,
    perOperation: (name) => latch_rows.find(({ latch }) => latch === name)?.per_operation ?? Number.NaN,
  };
}

export const invariantNames = ({ invariants }: RunResult) => invariants.map(({ name }) => name);
