// Checks the faults that the page's engine finds in latches of lab/latches/, step by step.
import { expect, test } from 'vitest';

import { framesAsTasks } from '../engine-client/test-fixtures/frames-as-tasks';
import { latchWalk, type WalkStep } from './latch-walk';
import { faultOfLatch } from './test-fixtures/fault-of-latch';

framesAsTasks();

const walkOf = async (latch: string) => latchWalk(await faultOfLatch(latch));
const valuesIn = ({ cells }: WalkStep) => cells.map(({ name, value }) => `${name} = ${value}`);
const linesIn = ({ threads }: WalkStep) => threads.map(({ line }) => line);

test('before the first step each word has its first value, and each thread stands before its first access', async () => {
  const [begin] = await walkOf('wrong/dekker-without-fence');
  expect(begin!.thread).toBeNull();
  expect(valuesIn(begin!)).toEqual(['wants[0] = 0', 'wants[1] = 0', 'wants[2] = 0', 'turn = 1']);
  expect(begin!.cells.some(({ isChanged }) => isChanged)).toBe(false);
  expect(linesIn(begin!)).toEqual([9, 9]);
});

test('each step names its line, and what it has changed', async () => {
  const walk = await walkOf('wrong/ticket-torn');
  expect(walk.map(({ thread, line, sentence }) => `${thread} ${line} ${sentence}`)).toEqual([
    'null null No word accessed yet.',
    '2 6 load next_ticket: finds 0',
    '1 6 load next_ticket: finds 0',
    '1 7 store next_ticket: 0 becomes 1',
    '1 8 load now_serving: finds 0',
    '2 7 store next_ticket: stays 1',
    '2 8 load now_serving: finds 0',
  ]);
  expect(walk.map(({ cells }) => cells[0]!.isChanged)).toEqual([
    ...[false, false, false],
    ...[true, false, false, false],
  ]);
  expect(walk.at(-1)!.threads.map(({ phase }) => phase)).toEqual(['holding', 'holding']);
});

test('each step says what the checker reports as read and written, and nothing else', async () => {
  const torn = await walkOf('wrong/ticket-torn');
  expect(torn.map(({ values }) => values.join(' '))).toEqual([
    '',
    'next_ticket reads 0',
    'next_ticket reads 0',
    'next_ticket writes 1',
    'now_serving reads 0',
    'next_ticket writes 1',
    'now_serving reads 0',
  ]);
  const dekker = await walkOf('wrong/dekker-without-fence');
  expect(dekker[1]!.values).toEqual(['wants[1]', 'writes 1', 'in its buffer']);
  const asleep = (await walkOf('wrong/futex-never-wakes')).find(({ queues }) => queues.length > 0)!;
  expect(asleep.values).toEqual(['locked', 'reads 1', 'falls asleep']);
});

test('a store that waits in the buffer is no change of the word', async () => {
  const walk = await walkOf('wrong/dekker-without-fence');
  expect(walk[1]!.sentence).toBe('store wants[1] = 1, not yet visible');
  const end = walk.at(-1)!;
  expect(valuesIn(end)).toEqual(valuesIn(walk[0]!));
  expect(end.threads.map(({ unseen }) => unseen)).toEqual([
    [{ cell: 'wants[1]', value: 1 }],
    [{ cell: 'wants[2]', value: 1 }],
  ]);
});

test('who sleeps is told, on which word, and that the other one has ended', async () => {
  const walk = await walkOf('wrong/futex-never-wakes');
  const asleep = walk.find(({ queues }) => queues.length > 0)!;
  expect(asleep.sentence).toBe('futex_wait locked: it is 1, falls asleep');
  expect(asleep.queues).toEqual([{ cell: 'locked', threads: [2] }]);
  const [first, second] = walk.at(-1)!.threads;
  expect(first).toMatchObject({ hasEnded: true, line: null });
  expect(second).toMatchObject({ isAsleep: true, phase: 'entering', line: 5 });
});

test('who is about to repeat an access goes round; who has an rw-latch has it shared or not', async () => {
  const walk = await walkOf('starving/rw-readers-first');
  expect(walk.map(({ threads }) => threads[0]!.goesRound)).toEqual([
    ...[false, false],
    ...[true, true, true, true, true],
  ]);
  expect(walk[3]!.threads.map(({ phase, isShared }) => `${phase} ${isShared}`)).toEqual([
    'entering false',
    'holding true',
    'holding true',
  ]);
});
