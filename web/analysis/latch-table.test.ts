import { expect, test } from 'vitest';

import type { Names } from '../engine-client/snapshot';
import { acquisitionsPerOperation, latchRows } from './latch-table';
import { snapshotOf } from './test-fixtures';

const names: Names = {
  functions: ['fil_io', 'fil_space_get_version', 'buf_page_get_gen'],
  latches: ['fil_system->mutex', 'buf_pool->page_hash', 'dict_sys->mutex'],
  latchSites: [
    { latch: 0, function: 0 },
    { latch: 0, function: 1 },
    { latch: 1, function: 2 },
    { latch: 2, function: 0 },
  ],
};

const before = snapshotOf({
  runNs: 1e9,
  stackSamples: 100,
  clientThreads: 4,
  counters: { block_reads: 1000 },
  latchSites: [{ acquisitions: 10 }, { acquisitions: 20 }, { acquisitions: 30 }],
});

const after = snapshotOf({
  runNs: 3e9,
  stackSamples: 200,
  clientThreads: 4,
  counters: { block_reads: 1100 },
  latchSites: [
    { acquisitions: 110, contended: 25, state_samples_waiting: 80, line_stall_ns: 4e9 },
    { acquisitions: 120, contended: 75, state_samples_waiting: 20, state_samples_spinning: 40 },
    { acquisitions: 30 },
  ],
});

const ofBlockReads = { operationCounter: 'block_reads', isModeled: false };
const rows = latchRows({ before, after }, names, ofBlockReads);

test('a latch is the sum of the places that take it', () => {
  expect(rows[0]).toMatchObject({
    latch: 'fil_system->mutex',
    acquisitions: 200,
    per_operation: 2,
    contended_share: 0.5,
    waiting_share: 0.25,
    spinning_share: 0.1,
  });
  expect(rows[0]?.sites.map((site) => [site.function, site.per_operation])).toEqual([
    ['fil_io', 1],
    ['fil_space_get_version', 1],
  ]);
});

test('more tries fail in a window than succeed, and yet no more than all', () => {
  const waitedFor = snapshotOf({
    runNs: 3e9,
    clientThreads: 4,
    latchSites: [{ acquisitions: 510, contended: 503 }],
  });
  const [row] = latchRows({ before, after: waitedFor }, names, ofBlockReads);
  expect([row!.acquisitions, row!.contended, row!.contended_share]).toEqual([500, 503, 1]);
});

test('an unused latch keeps its row and its places', () => {
  const resting = { per_operation: 0, contended_share: null };
  expect(rows[1]).toMatchObject({ latch: 'buf_pool->page_hash', ...resting });
  expect(rows[1]?.sites).toMatchObject([{ function: 'buf_page_get_gen', ...resting }]);
});

test('a latch that was never taken in this run has no row', () => {
  expect(rows.map((row) => row.latch)).not.toContain('dict_sys->mutex');
});

test('an event that threads wait for has a row, although nobody acquires it', () => {
  const runs = { runNs: 1e9, clientThreads: 4 };
  const unused = snapshotOf({ ...runs, latchSites: [] });
  const waited = snapshotOf({ ...runs, runNs: 3e9, latchSites: [{ contended: 3, waits: 3 }] });
  const [row] = latchRows({ before: unused, after: waited }, names, ofBlockReads);
  expect([row!.latch, row!.acquisitions, row!.contended]).toEqual(['fil_system->mutex', 0, 3]);
});

test('without operations there is nothing to divide by', () => {
  const standing = latchRows({ before: after, after }, names, ofBlockReads);
  expect(standing[0]).toMatchObject({ per_operation: null, waiting_share: null, spinning_share: null });
  expect(acquisitionsPerOperation(standing, 'fil_system->mutex')).toBeNull();
  expect(acquisitionsPerOperation(rows, 'no such latch')).toBeNull();
});

test('stalls on a latch’s cache line are shown as a share of the clients’ time, if known', () => {
  const [modeled] = latchRows({ before, after }, names, { ...ofBlockReads, isModeled: true });
  expect(modeled).toMatchObject({ line_stall_share: 0.5 });
  expect(modeled?.sites.map((site) => site.line_stall_share)).toEqual([0.5, 0]);
  expect(rows[0]).toMatchObject({ line_stall_share: null });
});
