import { describe, expect, test } from 'vitest';

import { measuredPart } from './measured-part';

const interval = (tS: number, tps: number, p99 = 10) => ({ t_s: tS, tps, latency_ms: { p99 } });
const part = { fromS: 0.1, earliestS: 0, toS: 0.4, intervalS: 0.1, clients: 1 };

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

describe('without a stated beginning', () => {
  const byRule = { fromS: null, earliestS: 0, toS: 0.6, intervalS: 0.01, clients: 4 };
  /** Sixty intervals of 10 ms; `ended` returns the number of transactions in each. */
  const run = (ended: (interval: number) => number) =>
    Array.from({ length: 60 }, (_, i) => interval((i + 1) / 100, ended(i) * 100));
  const around = (level: number, i: number) => Math.round(level * (1 + 0.1 * Math.sin(2.4 * i)));

  test('the warm-up is left out', () => {
    const measured = measuredPart(
      run((i) => around(i < 12 ? 1000 : 100, i)),
      byRule,
    );
    expect(measured.from_s).toBeGreaterThanOrEqual(0.12);
    expect(measured.from_s).toBeLessThanOrEqual(0.2);
    expect(measured.tps / 10_000).toBeCloseTo(1, 1);
    expect(measured.is_steady).toBe(true);
  });

  test('a run without a warm-up counts from the beginning, but for what clients had begun before', () => {
    const measured = measuredPart(
      run((i) => around(100, i)),
      byRule,
    );
    expect(measured.from_s).toBeLessThanOrEqual(0.01);
    expect(measured).toMatchObject({ is_steady: true });
  });

  test('nothing from before the last action counts', () => {
    const afterAction = { ...byRule, earliestS: 0.1 };
    const measured = measuredPart(
      run((i) => (i < 10 ? 5000 : around(100, i))),
      afterAction,
    );
    expect(measured.from_s).toBeGreaterThanOrEqual(0.1);
    expect(measured.from_s).toBeLessThanOrEqual(0.12);
    expect(measured.tps / 10_000).toBeCloseTo(1, 1);
  });

  test('clients that keep in step have the same throughput, whatever part of a transaction the run ends in', () => {
    for (const offset of [0, 3, 6, 9, 12]) {
      const measured = measuredPart(
        run((i) => ((i + offset) % 15 === 0 ? 32 : 0)),
        { ...byRule, clients: 32 },
      );
      expect(measured.tps, `offset ${offset}`).toBeCloseTo(32 / 0.15, 6);
    }
  });

  test('a run that is still changing at its end is told as such', () => {
    expect(
      measuredPart(
        run((i) => 10 + i),
        byRule,
      ).is_steady,
    ).toBe(false);
  });

  test('so is one in which each client has ended less than a few transactions', () => {
    const slow = run((i) => (i % 15 === 0 ? 4 : 0));
    expect(measuredPart(slow, { ...byRule, clients: 32 }).is_steady).toBe(false);
  });
});
