// Tests the rows that the latch benchmark prints.
import assert from 'node:assert/strict';
import test from 'node:test';

import { rowsOf } from './latches.mjs';

const line = (latch, threads, ns, more = {}) => ({ latch, threads, ns, cpu_ns: 2 * ns, ...more });

test('a latch is compared with the OsMutex of the same round and thread count', () => {
  const rows = rowsOf('native', [
    [line('OsMutex', 1, 10), line('OsMutex', 8, 100), line('RwLock S', 1, 20), line('RwLock S', 8, 50)],
    [line('OsMutex', 1, 20), line('OsMutex', 8, 100), line('RwLock S', 1, 60), line('RwLock S', 8, 25)],
    [line('OsMutex', 1, 10), line('OsMutex', 8, 100), line('RwLock S', 1, 40), line('RwLock S', 8, 75)],
  ]);
  assert.deepEqual(
    rows.map((row) => [row.measure, row.ns, row.cpu_ns, row['/ OsMutex']]),
    [
      ['OsMutex, 1 thread, native', 10, 20, { median: 1, min: 1, max: 1 }],
      ['OsMutex, 8 threads, native', 100, 200, { median: 1, min: 1, max: 1 }],
      ['RwLock S, 1 thread, native', 40, 80, { median: 3, min: 2, max: 4 }],
      ['RwLock S, 8 threads, native', 50, 100, { median: 0.5, min: 0.25, max: 0.75 }],
    ],
  );
});

test('events per second are shown for the virtual server', () => {
  const [natively] = rowsOf('native', [[line('OsMutex', 1, 10)]]);
  const [modelled] = rowsOf('virtual', [[line('OsMutex', 1, 10, { events_per_cpu_s: 4 })]]);
  assert.equal(natively['events/s'], undefined);
  assert.deepEqual(modelled['events/s'], { median: 4, min: 4, max: 4 });
});

test('a lab latch shows its speed as a fraction of the compiled latch', () => {
  const virtual = (latch, threads, eventsPerCpuS) =>
    line(latch, threads, 10, { events_per_cpu_s: eventsPerCpuS });
  const rows = rowsOf('virtual', [
    [virtual('OsMutex', 1, 5), virtual('TTASEventMutex', 1, 8), virtual('lab: event-mutex', 1, 4)],
    [virtual('OsMutex', 1, 5), virtual('TTASEventMutex', 1, 10), virtual('lab: event-mutex', 1, 7.5)],
  ]);
  assert.deepEqual(rows[2]['/ TTASEventMutex'], { median: 0.625, min: 0.5, max: 0.75 });
  assert.equal(rows[1]['/ TTASEventMutex'], undefined);
});
