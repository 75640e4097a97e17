import { expect, test } from 'vitest';

import { snapshotOf } from '../analysis/test-fixtures';
import { INTERVALS_KEPT } from './intervals';
import { LatencyMeter } from './latency-meter';

/** Feeds readings of a run with 1,000 timed transactions per second. */
function read(meter: LatencyMeter, ...readingsS: number[]): void {
  for (const tS of readingsS) {
    meter.onReading(snapshotOf({ runNs: tS * 1e9, histogram: { 7: tS * 1000 } }));
  }
}

const endsS = (meter: LatencyMeter) => meter.intervals.map(({ toS }) => toS);

test('an interval ends with the first reading after a full second', () => {
  const meter = new LatencyMeter();
  read(meter, 0.02, 0.5, 0.98);
  expect(meter.intervals).toEqual([]);
  read(meter, 1.08, 1.9, 2.01);
  expect(endsS(meter)).toEqual([1.08, 2.01]);
});

test('no interval reaches across a time in which nobody looked', () => {
  const meter = new LatencyMeter();
  read(meter, 0, 1);
  meter.startAgain();
  read(meter, 30.6, 31.5, 32.1);
  expect(meter.intervals.map(({ fromS, toS }) => [fromS, toS])).toEqual([
    [0, 1],
    [30.6, 32.1],
  ]);
});

test('of a long run the oldest intervals are dropped', () => {
  const meter = new LatencyMeter();
  for (let tS = 0; tS <= INTERVALS_KEPT + 5; tS += 1) read(meter, tS);
  expect(endsS(meter)).toHaveLength(INTERVALS_KEPT);
  expect(endsS(meter)[0]).toBe(6);
});

test('of each interval there is what was counted of latencies within it', () => {
  const meter = new LatencyMeter();
  for (const [tS, count] of [
    [0, 4],
    [1, 10],
    [2, 11],
  ] as const) {
    meter.onReading(snapshotOf({ runNs: tS * 1e9, histogram: { 7: count } }));
  }
  expect(meter.intervals.map(({ fromS, toS, counts }) => [fromS, toS, counts.get(7)])).toEqual([
    [0, 1, 6],
    [1, 2, 1],
  ]);
});
