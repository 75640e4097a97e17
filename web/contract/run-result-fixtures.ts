import { defaultRunSpec } from './run-spec.ts';
import type { RunResult } from './run-result.ts';
import { machine, undo_read } from './test-fixtures.ts';

const latency_ms = { mean: 2.6, p50: 2.7, p95: 2.8, p99: 2.9, max: 3 };
const shares = {
  ...{
    running: 0.3,
    stalled: 0.1,
    spinning: 0.2,
    waiting: 0.3,
    following: 0,
    ready: 0.1,
    sleeping: 0,
    io: 0,
  },
};
const no_latch_use = {
  ...{
    contended: 0,
    spin_rounds: 0,
    waits: 0,
    wait_ns: 0,
    hold_ns: 0,
    line_stall_ns: 0,
    queue_ns: 0,
    cost_ns: 0,
  },
  ...{ samples_waiting: 0, samples_spinning: 0 },
};

/**
 * Result of a run of bug #117533 on the virtual server: 10 virtual ms, 4 clients, in the engine's
 * form.
 */
export const undo_result: RunResult = {
  version: 1,
  spec: {
    ...defaultRunSpec(undo_read.manifest, machine, 'virtual'),
    threads: 4,
    duration_s: 1,
    interval_s: 0.005,
    actions: [
      { at_s: 0.002, action: 'update_k' },
      { at_s: 0.006, knob: 'purge_latch', variant: 'sharded_rw_lock' },
      { at_s: 0.5, action: 'update_k' },
    ],
  },
  engine: { version: '0.1.0', platform: 'virtual' },
  intervals: [
    { t_s: 0.005, tps: 1000, qps: 5400, latency_ms, errors_per_s: 0 },
    {
      t_s: 0.01,
      seconds: 0.005,
      tps: 2000,
      qps: 4800,
      queries_per_s: { read: 1600, write: 0, other: 3200 },
      latency_ms: { ...latency_ms, p99: 4, max: 5 },
      errors_per_s: 1,
      sysbench_line: '[ 0.010s ] thds: 4 tps: 2000.00',
    },
  ],
  totals: { seconds: 0.01, transactions: 15, tps: 1500, latency_ms: { min: 2, ...latency_ms } },
  counters: {
    transactions: 15,
    queries_read: 15,
    queries_write: 0,
    queries_other: 30,
    errors: 0,
    latency_samples: 15,
    undo_reads: 100,
  },
  cpu: shares,
  engine_cpu: shares,
  latches: [
    { ...no_latch_use, latch: 'Fil_shard::m_mutex', site: 'fil_space_get', acquisitions: 100, contended: 25 },
    {
      ...no_latch_use,
      ...{ latch: 'Fil_shard::m_mutex', site: 'fil_space_release', acquisitions: 100 },
      ...{ waits: 2, wait_ns: 4_000_000, hold_ns: 5000, line_stall_ns: 8_000_000 },
      ...{ queue_ns: 5_000_000, cost_ns: 12_000_000 },
    },
    { ...no_latch_use, latch: 'purge_sys->latch', site: 'trx_undo_get_undo_rec', acquisitions: 50 },
  ],
  stacks: [
    { frames: ['handle_connection', 'row_search_mvcc'], samples: 11 },
    { frames: ['srv_worker_thread'], samples: 9 },
  ],
  log: ['[Note] ready for connections'],
  model: {
    time_ps: 1e10,
    events: 1000,
    event_hash: '0cd235ce5c9b5422',
    ...{ context_switches: 0, busy_ps: 0, bucket_spin_ps: 0, futex_waits: 0, futex_wakes: 0 },
  },
  invariants: [{ name: 'purge_sys->latch S', ok: true, detail: '0 of 0' }],
  sysbench: { header: ['Threads started!', ''], report: ['Throughput:', '    time elapsed: 0.0100s'] },
};
