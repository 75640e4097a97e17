import { expect, test } from 'vitest';

import { columnsOfContinuation } from './wrapped-lines';

test.each([
  ['param a = 1us from 1us to 2us;', 4],
  ['    work(1us);', 8],
  ['// words of a comment', 3],
  ['  // words further in', 5],
  ['word done; // groups on disk', 4],
  ['', 4],
  ['\tx', 6],
  [' '.repeat(40), 16],
])('“%s” continues at column %i', (text, columns) => {
  expect(columnsOfContinuation(text, 2)).toBe(columns);
});
