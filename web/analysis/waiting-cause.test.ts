import { expect, test } from 'vitest';

import { sampleOf, threadSamplesOf } from './test-fixtures';
import { waitingCause } from './waiting-cause';

const causeOf = (...byMoment: Parameters<typeof threadSamplesOf>[0]) =>
  waitingCause(threadSamplesOf(byMoment));

const follower = sampleOf({
  state: 'following',
  stack: ['do_command', 'ordered_commit', 'enroll_for'],
  waitsFor: ['COND_done', 9],
});
const nextLeader = sampleOf({
  state: 'waiting',
  stack: ['do_command', 'ordered_commit'],
  waitsFor: ['LOCK_commit', 7],
  holds: [['LOCK_sync', 5]],
});
const leader = sampleOf({
  state: 'sleeping',
  stack: ['do_command', 'ordered_commit', 'Clone_Sys::wait'],
  holds: [['LOCK_commit', 7]],
});
const polling = {
  share: 1,
  latch: null,
  thread: {
    is_client: true,
    state: 'sleeping',
    frames: ['Clone_Sys::wait', 'ordered_commit', 'do_command'],
    holds: ['LOCK_commit'],
  },
};

test('a chain of latches ends at the thread that waits for no latch', () => {
  const behind = sampleOf({ state: 'waiting', stack: ['ordered_commit'], waitsFor: ['LOCK_sync', 5] });
  expect(causeOf([behind, nextLeader, leader])).toEqual(polling);
});

test('followers of a commit group wait for what their leader waits for', () => {
  expect(causeOf([follower, follower, leader])).toEqual(polling);
});

test('a latch whose holders run is the cause itself', () => {
  const holder = sampleOf({ stack: ['fil_io'], holds: [['fil_system->mutex', 1]] });
  const waiter = sampleOf({ state: 'spinning', stack: ['fil_io'], waitsFor: ['fil_system->mutex', 1] });
  const cause = { share: 1, latch: 'fil_system->mutex', thread: null };
  expect(causeOf([holder, waiter, waiter])).toEqual(cause);
  expect(causeOf([waiter, waiter])).toEqual(cause);
});

test('the largest of several places is returned, with its share', () => {
  const writer = sampleOf({ state: 'io', stack: ['fsync'], holds: [['LOCK_log', 2]] });
  const waiter = sampleOf({ state: 'waiting', stack: ['commit'], waitsFor: ['LOCK_log', 2] });
  const other = sampleOf({ state: 'waiting', stack: ['read'], waitsFor: ['buf_block_t::lock', 3] });
  expect(causeOf([writer, waiter, waiter, waiter, other])).toMatchObject({
    share: 0.75,
    thread: { state: 'io', frames: ['fsync'], holds: ['LOCK_log'] },
  });
});

test('idle, running and woken clients and server threads are not blocked', () => {
  const idle = sampleOf({ state: 'sleeping', stack: ['my_net_read'] });
  const woken = sampleOf({ ...follower, state: 'ready' });
  const server = sampleOf({ ...nextLeader, isClient: false });
  expect(causeOf([idle, woken, server, leader, sampleOf({})])).toBeNull();
});

test('threads that wait for each other end the chain', () => {
  const one = sampleOf({ state: 'waiting', waitsFor: ['A', 1], holds: [['B', 2]] });
  const two = sampleOf({ state: 'waiting', waitsFor: ['B', 2], holds: [['A', 1]] });
  expect(causeOf([one, two])).toMatchObject({ share: 0.5, thread: null });
});
