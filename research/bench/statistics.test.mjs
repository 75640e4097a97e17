// Tests the statistics of measured values.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { percentile, spread } from './statistics.mjs';

test('a percentile is one of the values', () => {
  const values = Array.from({ length: 100 }, (_, i) => i + 1);
  assert.equal(percentile(values, 95), 95);
  assert.equal(percentile(values, 100), 100);
  assert.equal(percentile([7], 1), 7);
});

test('the spread names median and extremes', () => {
  assert.deepEqual(spread([5, 1, 3]), { median: 3, min: 1, max: 5 });
  assert.deepEqual(spread([4, 1, 2, 3]), { median: 2.5, min: 1, max: 4 });
});
