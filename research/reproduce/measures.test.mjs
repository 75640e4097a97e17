// A name that is missing in the run result is an error, not a zero.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { MEASURE_FIELDS, MEASURES, SAMPLES } from './measures.mjs';

const stacks = (...counts) => ({
  stacks: counts.map(([threads, ...frames]) => ({ threads, frames })),
});

/** Two seconds; the second is twice as busy. */
const RESULT = {
  spec: { threads: 4, parameters: { read_io_threads: 4, write_io_threads: 2 } },
  totals: { seconds: 2, latency_ms: { min: 1, p95: 7, max: 9 } },
  counters: {
    block_reads: 90,
    queries_read: 100,
    commits: 300,
    binlog_bytes_written: 2 ** 20 * 300,
    gtid_wait_cpu_ns: 5e8,
    handler_wake_calls: 60,
    handler_wake_rounds: 10,
  },
  intervals: [
    { t_s: 1, tps: 100, queries_per_s: { read: 1400, write: 400 }, latency_ms: { p95: 1 } },
    { t_s: 2, tps: 200, queries_per_s: { read: 2800, write: 800 }, latency_ms: { p95: 4 } },
  ],
  latches: [
    { latch: 'm', site: 'a', acquisitions: 30, hold_ns: 4e8, line_stall_ns: 4e8 },
    { latch: 'm', site: 'b', acquisitions: 60, hold_ns: 6e8, line_stall_ns: 0 },
  ],
  stack_samples: [
    stacks([3, 'read', 'get', 'wait'], [2, 'read', 'get'], [1, 'wait']),
    stacks([1, 'read', 'get', 'wait'], [4, 'put', 'wait']),
    stacks(),
  ],
};

for (const [kind, measure, expected] of [
  ['tps', {}, 150],
  ['tps', { from_s: 1, to_s: 2 }, 200],
  ['queries_per_second', { of: 'read' }, 2100],
  ['queries_per_second', { of: 'write', to_s: 1 }, 400],
  ['latency_ms', { of: 'max' }, 9],
  ['latency_ms', { of: 'p95', from_s: 0, to_s: 2 }, 3],
  ['acquisitions_per', { latch: 'm', counter: 'block_reads' }, 1],
  ['acquisitions_per', { latch: 'm', site: 'a', counter: 'block_reads' }, 1 / 3],
  ['counter_per', { counter: 'block_reads', per: 'queries_read' }, 0.9],
  ['core_percent', { counter: 'gtid_wait_cpu_ns' }, 25],
  ['held_percent', { latch: 'm' }, 50],
  ['line_stall_percent', { latch: 'm' }, 5],
  ['seconds_to_fill_1_gib', { from_s: 0, to_s: 1 }, 10.24],
  ['segments_searched_percent', {}, 75],
  ['threads_at_stack', { frames: ['get', 'wait'] }, 1],
  ['samples_with_at_least', { frames: ['get', 'wait'], threads: 3 }, 100 / 3],
  ['samples_with_at_least', { frames: ['wait'], any_of: ['get', 'put'], threads: 3 }, 200 / 3],
  ['samples_with_at_least', { frames: ['wait'], threads: 6 }, 0],
  ['waiting_by_littles_law', { counter: 'queries_read', per_second: 25, clients: 10 }, 8],
])
  test(`${kind} of ${JSON.stringify(measure)} is ${expected}`, () => {
    assert.equal(
      Number(MEASURES[kind](structuredClone(RESULT), { kind, ...measure }).toPrecision(6)),
      Number(expected.toPrecision(6)),
    );
  });

test('a look counts the threads whose stacks have all of the frames, at least one of some, and none of others', () => {
  const at = (measure) => SAMPLES.threads_at_stack(RESULT, measure);
  assert.deepEqual(at({ frames: ['read'] }), [5, 1, 0]);
  assert.deepEqual(at({ frames: ['read', 'wait'] }), [3, 1, 0]);
  assert.deepEqual(at({ frames: ['read'], without: ['wait'] }), [2, 0, 0]);
  assert.deepEqual(at({ frames: ['wait'], any_of: ['get', 'put'] }), [3, 5, 0]);
});

for (const [kind, measure, wrong] of [
  ['counter', { counter: 'blockreads' }, /got "blockreads"; allowed: a counter/],
  ['counter_per', { counter: 'block_reads', per: 'queries' }, /got "queries"; allowed: a counter/],
  ['held_percent', { latch: 'n' }, /got \{"latch":"n"\}; allowed: a latch that the run takes/],
  ['acquisitions_per', { latch: 'm', site: 'c', counter: 'block_reads' }, /"site":"c"\}; allowed: a latch/],
])
  test(`${kind} of ${JSON.stringify(measure)}, which the result does not have, is an error`, () => {
    assert.throws(() => MEASURES[kind](structuredClone(RESULT), measure), wrong);
  });

test('each measure declares its fields', () => {
  assert.deepEqual(Object.keys(MEASURE_FIELDS).sort(), Object.keys(MEASURES).sort());
});
