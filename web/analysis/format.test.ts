import { expect, test } from 'vitest';

import {
  DASH,
  formatCount,
  formatDurationNs,
  formatFigure,
  formatLatencyNs,
  formatPerOperation,
  formatRangeOf,
  formatRatio,
  formatShare,
  formatWhole,
} from './format';

test.each([
  [850, '850 ns'],
  [12_340, '12.3 µs'],
  [4_560_000, '4.56 ms'],
  [1_200_000_000, '1.2 s'],
  [0, '0 ns'],
])('%d ns is written %s', (durationNs, text) => {
  expect(formatDurationNs(durationNs)).toBe(text);
});

test('no digit is finer than the clock', () => {
  expect(formatLatencyNs(128, 5000)).toBe('< 5 µs');
  expect(formatLatencyNs(5200, 5000)).toBe('5.2 µs');
  expect(formatLatencyNs(null, 5000)).toBe(DASH);
});

test('an unknown value is a dash', () => {
  for (const format of [formatWhole, formatShare, formatPerOperation, formatFigure, formatDurationNs]) {
    expect([format(null), format(undefined), format(Number.NaN)]).toEqual([DASH, DASH, DASH]);
  }
});

test('figures keep three digits, and all of them above a thousand', () => {
  expect([formatFigure(0.12345), formatFigure(6), formatFigure(131_354)]).toEqual(['0.123', '6', '131,354']);
  expect([formatPerOperation(6), formatPerOperation(8450.92)]).toEqual(['6.00', '8,451']);
});

test('a count per operation is shown whole if it is whole, and as 0 if only rounding is left', () => {
  expect([6, 6.0588, -0.0004, 8451.2].map(formatCount)).toEqual(['6', '6.06', '0', '8,451']);
  expect(formatCount(null)).toBe('–');
});

test('a range with equal rounded ends is one number', () => {
  expect(formatRangeOf([6.0541, 6.0712], formatCount)).toBe('6.05 to 6.07');
  expect(formatRangeOf([0.9994, 1], formatCount)).toBe('1.00');
});

test.each([
  [1.83, '1.8×'],
  [1, '1.0×'],
  [0.97, '1.0×'],
  [12.34, '12×'],
  [1 / 76, '÷ 76'],
  [1 / 2.21, '÷ 2.2'],
  [0, '0×'],
  [null, DASH],
])('%s times as much is %s', (ratio, text) => {
  expect(formatRatio(ratio)).toBe(text);
});
