import { expect, test } from 'vitest';

import { latchesNow } from './blocked-stacks';
import { sampleOf, threadSamplesOf } from './test-fixtures';

const holder = sampleOf({
  ordinal: 4,
  stack: ['commit'],
  holds: [
    ['LOCK_log', 1],
    ['LOCK_index', 2],
    ['LOCK_log', 3],
  ],
});
const waiter = sampleOf({ state: 'waiting', stack: ['commit'], waitsFor: ['LOCK_log', 1] });
const spinner = sampleOf({ state: 'spinning', stack: ['commit'], waitsFor: ['LOCK_log', 1] });
const purger = sampleOf({
  isClient: false,
  ordinal: 0,
  stack: ['purge_thread'],
  holds: [['LOCK_purge', 5]],
});

test('the last sample tells who holds each latch and who wants it', () => {
  const samples = threadSamplesOf([
    [waiter, waiter, waiter],
    [holder, waiter, spinner, spinner, purger],
  ]);
  // All latch sites of these samples are in the first function.
  expect(latchesNow(samples)).toEqual({
    LOCK_log: { waiting: 1, spinning: 2, holders: ['client 5 in commit'] },
    LOCK_index: { waiting: 0, spinning: 0, holders: ['client 5 in commit'] },
    LOCK_purge: { waiting: 0, spinning: 0, holders: ['purge_thread 1 in commit'] },
  });
});

test('without a sample nothing is known', () => {
  expect(latchesNow(threadSamplesOf([]))).toEqual({});
});
