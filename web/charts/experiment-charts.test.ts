import { describe, expect, test } from 'vitest';

import { ratioDomain, roundRatios } from './ratio-chart';
import { linearDomain, logDomain, medianLine, stepsOf } from './repeats-chart';
import { threadsScale, ticksApart } from './sweep-chart';

describe('the median line', () => {
  const lineOf = (...values: (number | null)[]) => values.map((value, i) => ({ tS: i + 1, value }));

  test('goes interval by interval, as far as all lines reach', () => {
    expect(medianLine([lineOf(1, 5, 9), lineOf(3, 4), lineOf(2, 9, 9)])).toEqual(lineOf(2, 5));
  });

  test('leaves out what is not known', () => {
    expect(medianLine([lineOf(null, 5), lineOf(null, null)])).toEqual(lineOf(null, 5));
  });

  test('of no lines is empty', () => {
    expect(medianLine([])).toEqual([]);
  });
});

test('a repeat is drawn in steps: a point tells of the time since the one before it, and a gap is as long', () => {
  const steps = stepsOf([5, null, 9].map((value, i) => ({ tS: i + 1, value })));
  expect(steps.map(({ tS, value }) => [tS, value])).toEqual([
    [0, 5],
    [1, 5],
    [1, null],
    [2, null],
    [2, 9],
    [3, 9],
  ]);
});

describe('the axis of threads', () => {
  test('is linear from none on', () => {
    const x = threadsScale({ places: [1, 8, 16], threadsAxis: 'linear' }, 160);
    expect([0, 8, 16].map((threads) => x(threads))).toEqual([0, 80, 160]);
  });

  test('gives each doubling as much room where it is logarithmic', () => {
    const x = threadsScale({ places: [1, 4, 16], threadsAxis: 'logarithmic' }, 160);
    expect([1, 4, 16].map((threads) => x(threads))).toEqual([0, 80, 160]);
  });
});

describe('domains', () => {
  test('reach from 0 to somewhat above the largest value', () => {
    expect(linearDomain([5, 100])).toEqual([0, 108]);
    expect(linearDomain([])).toEqual([0, 1]);
  });

  test.each([
    [
      [0.02, 7],
      [0.01, 10],
    ],
    [
      [0, 5],
      [1, 10],
    ],
    [
      [10, 10],
      [10, 100],
    ],
    [[], [1, 1000]],
  ])('that are logarithmic are whole powers of ten: of %o %o', (values, domain) => {
    expect(logDomain(values)).toEqual(domain);
  });

  test('of ratios hold 1, every pair, the interval and the margin', () => {
    const [low, high] = ratioDomain([2, 1.5, 3, 0.98, 1.02]);
    expect(low).toBeLessThan(0.98);
    expect(high).toBeGreaterThan(3);
  });
});

test.each([
  [[0.95, 1.3], 4, [1, 1.1, 1.2, 1.3]],
  [[0.4, 30], 10, [0.5, 1, 2, 5, 10, 20]],
  [[0.004, 300], 6, [0.01, 0.1, 1, 10, 100]],
] as const)('round ratios between %o, at most about %i: %o', ([low, high], count, expected) => {
  const ticks = roundRatios([low, high], count).map((ratio) => Number(ratio.toPrecision(3)));
  expect(ticks).toEqual(expected);
});

test('labels of thread counts do not touch, and the largest is kept', () => {
  expect(ticksApart([1, 2, 3, 4, 40, 41], (value) => value, 2)).toEqual([2, 4, 41]);
});
