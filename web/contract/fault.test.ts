import { expect, test } from 'vitest';

import { describeValue } from './fault.ts';

const endless: { self?: unknown } = {};
endless.self = endless;
let deep: unknown[] = [];
for (let i = 0; i < 100_000; i += 1) deep = [deep];

test.each<[string, unknown, string]>([
  ['nothing', undefined, 'missing'],
  ['null', null, 'null'],
  ['a text', 'x', 'x'],
  ['no number', Number.NaN, 'NaN'],
  ['an infinite number', Number.POSITIVE_INFINITY, 'Infinity'],
  ['a big integer', 2n ** 64n, '18446744073709551616'],
  ['a symbol', Symbol('latch'), 'Symbol(latch)'],
  ['a function', () => 1, 'a function'],
  ['a list', [1, 'two'], '[1,"two"]'],
  ['an object that stands for nothing', { toJSON: () => undefined }, 'an object'],
  ['an object within itself', endless, 'an object that is not JSON'],
  ['a list nested too deep', deep, 'an object that is not JSON'],
])('%s has a description', (_, value, description) => {
  expect(describeValue(value)).toBe(description);
});
