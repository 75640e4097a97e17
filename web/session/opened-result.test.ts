import { expect, test } from 'vitest';

import { historyRowsOf, shownOfResult } from './opened-result';
import { undo_result } from '../contract/run-result-fixtures';
import { undo_read } from '../contract/test-fixtures';

const { manifest } = undo_read;
const shown = shownOfResult(undo_result, manifest, { name: 'saved.json' });

test('each interval is a step in the charts, from its begin to its end', () => {
  const rows = historyRowsOf(undo_result);
  expect(rows.map(({ t_s, transactions_per_s, p99_ns }) => [t_s, transactions_per_s, p99_ns])).toEqual([
    [0, 1000, 2.9e6],
    [0.005, 1000, 2.9e6],
    [0.005, 2000, 4e6],
    [0.01, 2000, 4e6],
  ]);
  expect(rows.every(({ running }) => running === null)).toBe(true);
});

test('a latency that was never timed is not known', () => {
  const counters = { ...undo_result.counters, latency_samples: 0 };
  const untimed = { ...undo_result, counters };
  expect(historyRowsOf(untimed).every(({ p50_ns }) => p50_ns === null)).toBe(true);
  expect(shownOfResult(untimed, manifest, { name: '' }).live!.p99_ns).toBeNull();
});

test('marks are those that the spec had planned and the run has reached, in their order', () => {
  expect(shown.marks.map(({ number, run_ns, kind }) => [number, run_ns, kind])).toEqual([
    [0, 2e6, 'action'],
    [1, 6e6, 'knob'],
  ]);
  expect(shown.log.map(({ text }) => text)).toEqual([
    'opened from saved.json',
    manifest.actions.find(({ id }) => id === 'update_k')!.title,
    'Latch against purge: 64 rw_locks',
    'finished',
  ]);
});

test('a latch of the reader’s that was stopped has its mark, and nothing counts for its design any more', () => {
  const { spec } = undo_result;
  const stopped = {
    ...undo_result,
    spec: { ...spec, actions: [] },
    latches_stopped: [{ knob: 'purge_latch', at_s: 0.004 }],
  };
  const { marks, log, live } = shownOfResult(stopped, manifest, { name: 'saved.json' });
  expect(marks).toMatchObject([
    { number: 0, run_ns: 4e6, kind: 'latch_stopped', knob: { id: 'purge_latch' } },
  ]);
  expect(log[1]!.text).toBe('Your latch was stopped: the built-in latch replaces it in Latch against purge');
  expect(live!.measured).toEqual({});
});

test('sysbench’s lines are those of the file; an older file has none', () => {
  expect(shown.intervals.map(({ sysbench_line }) => sysbench_line)).toEqual([
    undefined,
    '[ 0.010s ] thds: 4 tps: 2000.00',
  ]);
  expect(shown).toMatchObject({
    sysbenchHeader: ['Threads started!', ''],
    sysbenchReport: ['Throughput:', '    time elapsed: 0.0100s'],
  });
  const older = structuredClone(undo_result);
  delete older.sysbench;
  expect(shownOfResult(older, manifest, { name: 'older.json' })).toMatchObject({
    sysbenchHeader: null,
    sysbenchReport: null,
  });
});

test('latches are added up over the places that take them', () => {
  const [shard, purge] = shown.live!.latch_rows;
  expect(shard).toMatchObject({
    latch: 'Fil_shard::m_mutex',
    acquisitions: 200,
    per_operation: 2,
    contended_share: 0.125,
    // 4 ms of 4 clients in 10 ms.
    waiting_share: 0.1,
    spinning_share: null,
    // 8 ms of the same.
    line_stall_share: 0.2,
    mean_wait_ns: 2e6,
    mean_hold_ns: 25,
  });
  expect(shard!.sites.map((site) => site.function)).toEqual(['fil_space_get', 'fil_space_release']);
  expect(purge).toMatchObject({ latch: 'purge_sys->latch', per_operation: 0.5, mean_wait_ns: null });
});

test('a result that does not tell stalls on cache lines has none', () => {
  const latches = structuredClone(undo_result.latches);
  for (const latch of latches) delete latch.line_stall_ns;
  const told = shownOfResult({ ...undo_result, latches }, manifest, { name: 'older.json' });
  const [shard] = told.live!.latch_rows;
  expect(shard!.line_stall_share).toBeNull();
});

test('stacks turn innermost function first, and counters have their rates', () => {
  expect(shown.live!.stacks[0]).toEqual({ frames: ['row_search_mvcc', 'handle_connection'], count: 11 });
  expect(shown.live!.counts.undo_reads).toEqual({ total: 100, per_s: 10_000 });
  expect(shown.live).toMatchObject({ run_s: 0.01, transactions_per_s: 1500, operations_per_s: 10_000 });
});

test('server log and report are there, and what was not measured is not', () => {
  expect(shown.server_log).toEqual({ lines: ['[Note] ready for connections'], left_out: 0 });
  expect(shown.live!.blocked).toEqual({ holding_others_up: null, most_frequent: null, cause: null });
  expect(shown.live!.measured).toEqual({});
});
