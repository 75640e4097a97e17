import { expect, test } from 'vitest';

import { partsWithMinWidth } from './strip';

const rounded = (parts: { left: number; width: number }[]) =>
  parts.map(({ left, width }) => [Number(left.toFixed(2)), Number(width.toFixed(2))]);

test('parts that are wide enough stay where they are', () => {
  const parts = [
    { left: 0, width: 0.4 },
    { left: 0.4, width: 0.6 },
  ];
  expect(partsWithMinWidth(parts, 0.1)).toEqual(parts);
});

test('a narrow part takes what it lacks from the others, and the strip ends where it did', () => {
  const parts = [
    { left: 0, width: 0.02 },
    { left: 0.02, width: 0.68 },
    { left: 0.7, width: 0.3 },
  ];
  expect(rounded(partsWithMinWidth(parts, 0.1))).toEqual([
    [0, 0.1],
    [0.1, 0.62],
    [0.72, 0.28],
  ]);
});

test('where there is no room for all, they share what there is', () => {
  const parts = Array.from({ length: 20 }, (_, i) => ({ left: i / 20, width: 1 / 20 }));
  expect(rounded(partsWithMinWidth(parts, 0.1)).at(-1)).toEqual([0.95, 0.05]);
});
