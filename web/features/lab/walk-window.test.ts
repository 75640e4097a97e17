import { expect, test } from 'vitest';

import type { WalkStep } from '../../analysis/latch-walk';
import { stepWidthRem, walkWindow } from './walk-window';

test('all steps are shown if they fit, otherwise windows that hold the step', () => {
  expect(walkWindow(5, 1, 9)).toEqual({ from: 0, to: 5 });
  const windows = [0, 1, 3, 4, 7, 8].map((step) => walkWindow(8, step, 3));
  expect(windows.map(({ from, to }) => [from, to])).toEqual([
    ...[
      [0, 3],
      [0, 3],
      [0, 3],
      [3, 6],
      [5, 8],
      [5, 8],
    ],
  ]);
  expect(walkWindow(8, 4, -1)).toEqual({ from: 3, to: 4 });
});

test('a step is as wide as its longest line needs, within limits', () => {
  const walk = (...values: string[]) => [{ values } as unknown as WalkStep];
  expect(stepWidthRem(walk())).toBe(4);
  expect(stepWidthRem(walk('a', 'falls asleep'))).toBeCloseTo(6.1);
  expect(stepWidthRem(walk('a_very_long_name_of_a_word'))).toBe(9);
});
