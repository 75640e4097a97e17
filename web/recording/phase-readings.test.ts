import { expect, test } from 'vitest';

import { counterIndex, emptySnapshot } from '../engine-client/snapshot';
import { PhaseReadings } from './phase-readings';

const reads = counterIndex('block_reads');

function reading(runNs: number, blockReads: number, runGeneration = 1) {
  const snapshot = { ...emptySnapshot(), runGeneration, runNs };
  snapshot.counters[reads] = blockReads;
  return snapshot;
}

const growthOf = (readings: PhaseReadings) =>
  readings.all.map(({ begunAtNs, before, after }) => [
    begunAtNs,
    before.runNs,
    after.runNs,
    after.counters[reads]! - before.counters[reads]!,
  ]);

test('each part has its own first and last reading, and none spans a mark', () => {
  const readings = new PhaseReadings();
  readings.take(reading(10, 100), 0);
  readings.take(reading(20, 200), 0);
  readings.take(reading(30, 350), 24);
  readings.take(reading(40, 500), 24);
  expect(growthOf(readings)).toEqual([
    [0, 10, 20, 100],
    [24, 30, 40, 150],
  ]);
});

test('another run begins anew', () => {
  const readings = new PhaseReadings();
  readings.take(reading(10, 100), 0);
  readings.take(reading(5, 1, 2), 0);
  expect(growthOf(readings)).toEqual([[0, 5, 5, 0]]);
});
