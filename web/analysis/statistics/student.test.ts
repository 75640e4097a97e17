import { expect, test } from 'vitest';

import { studentT } from './student';

// NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2, critical values of Student's t
// distribution, column 0.975.
test.each([
  [1, 12.706],
  [2, 4.303],
  [3, 3.182],
  [4, 2.776],
  [5, 2.571],
  [6, 2.447],
  [7, 2.365],
  [8, 2.306],
  [9, 2.262],
  [10, 2.228],
  [15, 2.131],
  [20, 2.086],
  [25, 2.06],
  [30, 2.042],
  [40, 2.021],
  [49, 2.01],
  [60, 2.0],
  [100, 1.984],
])('with %i degrees of freedom it is %f, as in the tables', (degreesOfFreedom, t) => {
  expect(studentT(degreesOfFreedom).toFixed(3)).toBe(t.toFixed(3));
});

test('where the integral can be turned around it is exact', () => {
  expect(studentT(1)).toBeCloseTo(Math.tan(0.475 * Math.PI), 11);
  // P = t / √(2 + t²)
  expect(studentT(2)).toBeCloseTo(0.95 * Math.sqrt(2 / (1 - 0.95 ** 2)), 13);
});

test('with very many it is the normal distribution', () => {
  expect(studentT(100_000)).toBeCloseTo(1.959964, 4);
});

// The same tables, columns 0.95 and 0.995.
test.each([
  [1, 0.9, 6.314],
  [4, 0.9, 2.132],
  [4, 0.99, 4.604],
  [30, 0.99, 2.75],
])('with %i degrees of freedom and confidence %f it is %f', (degreesOfFreedom, confidence, t) => {
  expect(studentT(degreesOfFreedom, confidence).toFixed(3)).toBe(t.toFixed(3));
});
