import { expect, test } from 'vitest';

import { blockedStacks } from './blocked-stacks';
import { sampleOf, threadSamplesOf } from './test-fixtures';

const leader = sampleOf({
  state: 'sleeping',
  stack: ['ordered_commit', 'Clone_Sys::wait'],
  holds: [['LOCK_commit', 7]],
});
const nextLeader = sampleOf({
  state: 'waiting',
  stack: ['ordered_commit'],
  waitsFor: ['LOCK_commit', 7],
});
const follower = sampleOf({ state: 'waiting', stack: ['enroll_for'], waitsFor: ['COND_done', 9] });

test('tells blocking threads from the place where most clients wait', () => {
  const samples = threadSamplesOf([
    [leader, nextLeader, follower, follower],
    [leader, follower, follower, follower],
  ]);
  expect(blockedStacks(samples)).toMatchObject({
    holding_others_up: {
      frames: ['Clone_Sys::wait', 'ordered_commit'],
      count: 2,
      state: 'sleeping',
      waits_for: null,
      holds: ['LOCK_commit'],
      waiters: 1,
    },
    most_frequent: {
      frames: ['enroll_for'],
      count: 5,
      state: 'waiting',
      waits_for: 'COND_done',
      holds: [],
      waiters: 0,
    },
  });
});

test('another latch of the same name blocks nobody', () => {
  const ofAnother = sampleOf({ ...nextLeader, waitsFor: ['LOCK_commit', 8] });
  expect(blockedStacks(threadSamplesOf([[leader, ofAnother]])).holding_others_up).toBeNull();
});

test('a server thread may block others, but only clients count for the most frequent place', () => {
  const purger = sampleOf({ ...leader, isClient: false });
  const { holding_others_up, most_frequent } = blockedStacks(threadSamplesOf([[purger, purger, nextLeader]]));
  expect(holding_others_up?.waiters).toBe(2);
  expect(most_frequent?.frames).toEqual(['ordered_commit']);
});

test('running threads are not reported', () => {
  const running = sampleOf({ stack: ['row_search_mvcc'] });
  expect(blockedStacks(threadSamplesOf([[running]]))).toEqual({
    holding_others_up: null,
    most_frequent: null,
    cause: null,
  });
});
