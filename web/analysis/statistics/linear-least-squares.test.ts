import { expect, test } from 'vitest';

import { inverseOfNormalMatrix, linearLeastSquares } from './usl-fit';

const ones = (count: number) => Array.from({ length: count }, () => 1);

test('a line by hand: through (0, 1), (1, 3), (2, 4) goes 7/6 + 3/2 x', () => {
  const [constant, slope] = linearLeastSquares(
    [
      [1, 0],
      [1, 1],
      [1, 2],
    ],
    [1, 3, 4],
    ones(3),
  )!;
  expect(constant).toBeCloseTo(7 / 6, 9);
  expect(slope).toBeCloseTo(1.5, 9);
});

test('a point without weight does not count', () => {
  const [constant] = linearLeastSquares([[1], [1], [1]], [2, 4, 1000], [1, 1, 0])!;
  expect(constant).toBeCloseTo(3, 9);
});

test('the inverse by hand, where rows have to be exchanged', () => {
  const inverse = inverseOfNormalMatrix([
    [1, 0],
    [1, 2],
  ])!;
  // The inverse of ((2, 2), (2, 4)).
  expect(inverse.flat().map((entry) => Number(entry.toFixed(9)))).toEqual([1, -0.5, -0.5, 0.5]);
});

test('columns that say the same determine nothing', () => {
  const rows = [
    [1, 2],
    [2, 4],
    [3, 6],
  ];
  expect(linearLeastSquares(rows, [1, 2, 3], ones(3))).toBeNull();
});
