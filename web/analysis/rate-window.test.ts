import { describe, expect, test } from 'vitest';

import { rateWindow, type Totals } from './rate-window';

/** Readings every millisecond; `ended` returns the number of transactions that end in each. */
function run(lengthMs: number, ended: (ms: number) => number): Totals {
  let sum = 0;
  return {
    tS: Float64Array.from({ length: lengthMs + 1 }, (_, ms) => ms / 1000),
    transactions: Float64Array.from({ length: lengthMs + 1 }, (_, ms) => (sum += ms === 0 ? 0 : ended(ms))),
  };
}

function rateOf(totals: Totals, clients: number, wantedS: number, last = totals.tS.length - 1, first = 0) {
  const { from, isSettled } = rateWindow(totals, { first, last, clients, wantedS });
  const seconds = totals.tS[last]! - totals.tS[from]!;
  return { tps: (totals.transactions[last]! - totals.transactions[from]!) / seconds, seconds, isSettled };
}

/**
 * 32 clients whose scans take 175 ms and end within three milliseconds of each other, as after the
 * UPDATE of #117533.
 */
const inStep = run(3_000, (ms) => (ms % 175 === 0 ? 12 : ms % 175 === 1 || ms % 175 === 2 ? 10 : 0));

test('clients that keep in step have one rate, wherever the window ends', () => {
  for (let last = 1_200; last <= 3_000; last += 1) {
    const { tps, isSettled } = rateOf(inStep, 32, 0.02, last);
    expect(tps, `after ${last} ms`).toBeCloseTo(32 / 0.175, -1);
    expect(Math.abs(tps * 0.175 - 32)).toBeLessThan(0.8);
    expect(isSettled).toBe(true);
  }
});

test('already after their first transaction, before the rate has settled', () => {
  for (let last = 180; last < 1_200; last += 1) {
    const { tps, isSettled } = rateOf(inStep, 32, 0.02, last);
    // At the end of each transaction, some clients have ended one more than the others.
    if (last % 175 > 2) expect(tps, `after ${last} ms`).toBeCloseTo(32 / 0.175, -1);
    if (last < 525) expect(isSettled).toBe(false);
  }
});

test('the same over all of the run, and over any length that is asked for', () => {
  for (const wantedS of [0.1, 0.3, 0.6, 1, Number.POSITIVE_INFINITY])
    expect(Math.abs(rateOf(inStep, 32, wantedS).tps * 0.175 - 32)).toBeLessThan(0.8);
});

test('a window is as long as was asked for, where each client ends many transactions in it', () => {
  const busy = run(200, () => 100);
  expect(rateOf(busy, 10, 0.05)).toMatchObject({ isSettled: true });
  expect(rateOf(busy, 10, 0.05).seconds).toBeCloseTo(0.05);
});

test('a window lengthens until each client has ended three transactions in it', () => {
  const slow = run(2_000, (ms) => (ms % 10 === 0 ? 1 : 0));
  expect(rateOf(slow, 40, 0.05).seconds).toBeCloseTo(1.2);
  expect(rateOf(slow, 40, 0.05).tps).toBeCloseTo(100);
});

test('and until there are enough for a 99th percentile, as far as there are as many', () => {
  const slow = run(2_000, (ms) => (ms % 10 === 0 ? 1 : 0));
  expect(rateOf(slow, 4, 0.05).seconds).toBeCloseTo(1);
  expect(rateOf(slow, 4, 0.05, 800)).toMatchObject({ isSettled: true, tps: expect.closeTo(100) as number });
});

test('a server that stands has no transactions, and not those of the time before', () => {
  const stopped = run(500, (ms) => (ms <= 300 ? 10 : 0));
  expect(rateOf(stopped, 200, 0.05, 400).tps).toBe(0);
  expect(rateOf(stopped, 200, 0.05, 330).tps).toBeCloseTo(10_000 / 2, -3);
});

describe('after a mark', () => {
  const slowed = run(2_100, (ms) => (ms <= 500 ? 100 : ms % 10 === 0 ? 1 : 0));

  test('nothing from before it is told, nor what had begun before it', () => {
    const { tps, seconds, isSettled } = rateOf(slowed, 40, 0.05, 2_100, 500);
    expect([tps, seconds, isSettled]).toEqual([expect.closeTo(100), expect.closeTo(1.2), true]);
  });

  test('until there is enough, all since the mark is told, as not settled', () => {
    expect(rateOf(slowed, 40, 0.05, 800, 500)).toMatchObject({
      seconds: expect.closeTo(0.3) as number,
      isSettled: false,
    });
    expect(rateOf(slowed, 40, 0.05, 1_700, 500).isSettled).toBe(false);
  });
});
