import { expect, test } from 'vitest';

import { foldStacks, StackTable } from './thread-sample';
import { sampleOf, threadSamplesOf } from './test-fixtures';

test('equal stacks are one, prefixes are another', () => {
  const table = new StackTable();
  const one = table.intern([0, 1, 2], 3);
  expect(table.intern([0, 1, 2, 3], 3)).toBe(one);
  expect(table.intern([0, 1], 2)).not.toBe(one);
  expect(table.frames(one)).toEqual([2, 1, 0]);
});

test('folds stacks of clients, most frequent first, innermost function first', () => {
  const waiting = sampleOf({ stack: ['start_thread', 'buf_read_page', 'fil_space_get_version'] });
  const reading = sampleOf({ stack: ['start_thread', 'buf_read_page', 'fil_io'] });
  const idle = sampleOf({ stack: ['start_thread'] });
  const ofServer = sampleOf({ stack: ['io_handler_thread'], isClient: false });
  const unseen = sampleOf({ stack: [] });
  const samples = threadSamplesOf([
    [waiting, reading, ofServer, unseen],
    [waiting, idle, ofServer, unseen],
    [waiting, reading, ofServer, unseen],
  ]);
  expect(foldStacks(samples, 2)).toEqual([
    { count: 3, frames: ['fil_space_get_version', 'buf_read_page', 'start_thread'] },
    { count: 2, frames: ['fil_io', 'buf_read_page', 'start_thread'] },
  ]);
});
