import { expect, test } from 'vitest';

import { foldStacks, StackTable } from './stacks';

const names = ['start_thread', 'buf_read_page', 'fil_io', 'fil_space_get_version'];

test('equal stacks are one, prefixes are another', () => {
  const table = new StackTable();
  const one = table.intern([0, 1, 2], 3);
  expect(table.intern([0, 1, 2, 3], 3)).toBe(one);
  expect(table.intern([0, 1], 2)).not.toBe(one);
  expect(table.frames(one)).toEqual([2, 1, 0]);
});

test('folds samples, most frequent first, innermost function first', () => {
  const table = new StackTable();
  const waiting = table.intern([0, 1, 3], 3);
  const reading = table.intern([0, 1, 2], 3);
  const idle = table.intern([0], 1);
  const folded = foldStacks(
    [
      [waiting, reading],
      [waiting, idle],
      [waiting, reading],
    ],
    table,
    names,
    2,
  );
  expect(folded).toEqual([
    { count: 3, frames: ['fil_space_get_version', 'buf_read_page', 'start_thread'] },
    { count: 2, frames: ['fil_io', 'buf_read_page', 'start_thread'] },
  ]);
});
