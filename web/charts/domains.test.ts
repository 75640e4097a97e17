import { expect, test } from 'vitest';

import { DecadeDomain, LinearDomain, rateScaleFor } from './domains';

test('a linear axis grows at once and shrinks only when the values have become much smaller', () => {
  const domain = new LinearDomain(10);
  expect(domain.update(0)).toEqual([0, 10]);
  const [, top] = domain.update(1000);
  expect(top).toBeGreaterThan(1000);
  expect(domain.update(800)).toEqual([0, top]);
  expect(domain.update(100)[1]).toBeLessThan(200);
});

test('a logarithmic axis spans whole powers of ten around the values', () => {
  const domain = new DecadeDomain([1e3, 1e7]);
  expect(domain.update(Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY)).toEqual([1e3, 1e7]);
  expect(domain.update(20_000, 3_000_000)).toEqual([1e4, 1e7]);
  expect(domain.update(20_000, 30_000)).toEqual([1e4, 1e7]);
});

test('rates that fit on a linear axis have one, also where the server stood for a while', () => {
  expect(rateScaleFor(Float64Array.of(0, 0, 900, 1000))).toBe('linear');
  expect(rateScaleFor(Float64Array.of(0, 0, 10, 1000))).toBe('log');
});
