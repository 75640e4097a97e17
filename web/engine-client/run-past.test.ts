import { expect, test } from 'vitest';

import { stopsBetween } from './run-past';

test('copies are laid ever closer before the target, none closer than a turn of the worker', () => {
  expect(stopsBetween(1_000, 9_000, 100)).toEqual([8_000, 8_875]);
  expect(stopsBetween(1_000, 9_000, 1_000)).toEqual([]);
  expect(stopsBetween(1_000, 1_000, 100)).toEqual([]);
});
