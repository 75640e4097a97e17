import { expect, test } from 'vitest';

import { measuredPart } from './measured-part';

const interval = (t_s: number, tps: number, p99 = 10) => ({ t_s, tps, latency_ms: { p99 } });
const part = { from_s: 0.1, to_s: 0.4, interval_s: 0.1 };

test('counts whole intervals from the start of the measured part to the end of the run', () => {
  const measured = measuredPart(
    [
      interval(0.1, 9000),
      interval(0.2, 100, 20),
      interval(0.3, 300, 40),
      interval(0.4, 200, 10),
      interval(0.9, 5),
    ],
    part,
  );
  expect(measured.seconds).toBeCloseTo(0.3, 9);
  expect(measured.tps).toBeCloseTo(200, 9);
  expect(measured.transactions).toBe(60);
  // (10 · 20 + 30 · 40 + 20 · 10) / 60
  expect(measured.p99_ms).toBeCloseTo(1600 / 60, 9);
});

test('intervals of real threads close somewhat late', () => {
  const late = [interval(0.104, 9000), interval(0.205, 100), interval(0.306, 100), interval(0.407, 100)];
  expect(measuredPart(late, part).seconds).toBeCloseTo(0.303, 9);
});

test('an interval that began before the measured part is left out', () => {
  expect(measuredPart([interval(0.15, 9000), interval(0.3, 100)], part).tps).toBeCloseTo(100, 9);
});

test('a standstill is 0 transactions a second, and has no latency', () => {
  const measured = measuredPart([interval(0.1, 50), interval(0.2, 0, 0), interval(0.3, 0, 0)], part);
  expect(measured).toMatchObject({ tps: 0, transactions: 0, p99_ms: null });
});

test('without a measured part the length is 0 seconds', () => {
  expect(measuredPart([interval(0.1, 50)], part)).toMatchObject({ seconds: 0, tps: 0 });
});
