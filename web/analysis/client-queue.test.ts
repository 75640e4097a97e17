import { expect, test } from 'vitest';

import { clientQueue, queuePicture } from './client-queue';
import { sampleOf, threadSamplesOf } from './test-fixtures';

const MUTEX = 'fil_system->mutex';
const holder = sampleOf({ stack: ['fil_io'], holds: [[MUTEX, 1]] });
const spinner = sampleOf({ state: 'spinning', stack: ['fil_io'], waitsFor: [MUTEX, 1] });
const sleeper = sampleOf({ state: 'waiting', stack: ['fil_io'], waitsFor: [MUTEX, 1] });
const reader = sampleOf({ state: 'waiting', stack: ['read'], waitsFor: ['buf_block_t::lock', 3] });
const runner = sampleOf({ stack: ['row_search'] });

function queueOf(tS: number, ...threads: Parameters<typeof threadSamplesOf>[0][number]) {
  const { byMoment, ...names } = threadSamplesOf([threads]);
  return clientQueue(tS, byMoment[0]!, names);
}

test('a sample counts clients by state, and says who holds the latch that most of them want', () => {
  const queue = queueOf(0.5, holder, spinner, spinner, sleeper, reader);
  expect(queue).toMatchObject({ t_s: 0.5, states: { running: 1, spinning: 2, waiting: 2 } });
  expect(queue.latches.map(({ latch, spinning, waiting }) => [latch, spinning, waiting])).toEqual([
    [MUTEX, 2, 1],
    ['buf_block_t::lock', 0, 1],
  ]);
  expect(queue.latches[0]!.holders).toMatchObject([
    { is_client: true, state: 'running', executes: 'fil_io' },
  ]);
  expect(queue.cause).toMatchObject({ latch: MUTEX, clients: 3 });
});

test('a picture keeps the latch and the cause of most clients, with the newest counts', () => {
  const samples = [queueOf(1, holder, spinner, sleeper), queueOf(2, runner, runner, runner)];
  expect(queuePicture(samples)).toMatchObject({
    tS: 2,
    states: { running: 3 },
    queue: { latch: MUTEX, spinning: 0, waiting: 0, holders: [] },
    cause: { latch: MUTEX },
  });
});

test('without samples there is no picture, and without blocked clients no queue', () => {
  expect(queuePicture([])).toBeNull();
  expect(queuePicture([queueOf(1, runner)])).toMatchObject({ queue: null, cause: null });
});
