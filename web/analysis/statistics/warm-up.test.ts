import { expect, test } from 'vitest';

import { warmUpOf } from './measured-part';

/** Deterministic values around a level. */
const around = (level: number, count: number, spread = 0.1) =>
  Array.from({ length: count }, (_, i) => level * (1 + spread * Math.sin(2.4 * i)));

test('of a run that is steady from the beginning nothing is left out', () => {
  expect(warmUpOf(around(100, 60))).toEqual({ values: 0, isSteady: true });
});

test.each([
  ['faster', 10_000],
  ['slower', 3],
])('a beginning that is %s is left out, by batches of five', (_, level) => {
  expect(warmUpOf([...around(level, 12), ...around(100, 48)])).toEqual({ values: 15, isSteady: true });
});

test('a cache that fills itself is left out until it has filled', () => {
  const filling = Array.from({ length: 12 }, (_, i) => 8 * i);
  expect(warmUpOf([...filling, ...around(100, 48)])).toEqual({ values: 15, isSteady: true });
});

test('clients that keep in step, so that values come and go, are no warm-up', () => {
  const inStep = Array.from({ length: 60 }, (_, i) => (i % 7 === 0 ? 32 : 0));
  expect(warmUpOf(inStep).values).toBeLessThanOrEqual(10);
  expect(warmUpOf(inStep).isSteady).toBe(true);
});

test('a run that is still changing at its end is not steady', () => {
  expect(warmUpOf(Array.from({ length: 60 }, (_, i) => 1.1 ** i)).isSteady).toBe(false);
  expect(warmUpOf(Array.from({ length: 60 }, (_, i) => 100 + i)).isSteady).toBe(false);
});

test('at most half is left out', () => {
  expect(warmUpOf([...around(1, 40), ...around(100, 20)]).values).toBeLessThanOrEqual(30);
});

test.each([[[]], [[1, 2, 3]], [[1, 2, 3, 4, 5]]])('of %j nothing can be said', (values) => {
  expect(warmUpOf(values)).toEqual({ values: 0, isSteady: false });
});
