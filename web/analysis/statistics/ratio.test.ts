import { describe, expect, test } from 'vitest';

import { ratioOfPairs } from './verdict';

describe('the ratio of pairs', () => {
  test('by hand: ratios 2 and 8 have the mean 4, and logarithms ln 2 to each side of it', () => {
    const estimate = ratioOfPairs([
      [10, 20],
      [5, 40],
    ])!;
    expect(estimate.ratio).toBeCloseTo(4, 9);
    // Standard deviation ln 2 · √2, standard error ln 2, times 12.7062.
    expect(Math.log(estimate.interval![1] / 4)).toBeCloseTo(12.7062 * Math.LN2, 3);
    expect(Math.log(4 / estimate.interval![0])).toBeCloseTo(12.7062 * Math.LN2, 3);
    expect(estimate.pairs).toBe(2);
  });

  test('is the reciprocal with the designs exchanged', () => {
    const pairs = [
      [100, 230],
      [110, 250],
      [95, 240],
    ] as const;
    const there = ratioOfPairs(pairs)!;
    const back = ratioOfPairs(pairs.map(([a, b]) => [b, a] as const))!;
    expect(back.ratio).toBeCloseTo(1 / there.ratio, 12);
    expect(back.interval![0]).toBeCloseTo(1 / there.interval![1], 12);
  });

  test('leaves out what slows both runs of a pair', () => {
    const estimate = ratioOfPairs([
      [100, 200],
      [10, 20],
      [1000, 2000],
    ])!;
    expect(estimate.interval![0]).toBeCloseTo(2, 9);
    expect(estimate.interval![1]).toBeCloseTo(2, 9);
  });

  test('of one pair has no interval', () => {
    expect(ratioOfPairs([[2, 3]])).toEqual({ ratio: 1.5, interval: null, pairs: 1 });
  });

  test.each([
    ['no pair', []],
    ['a standstill of the first', [[0, 3]]],
    ['a standstill of the second', [[3, 0]]],
  ] as const)('is not known with %s', (_, pairs) => {
    expect(ratioOfPairs(pairs as readonly (readonly [number, number])[])).toBeNull();
  });
});
