import { describe, expect, test } from 'vitest';

import { latency_answers } from '../contract/gen/latency-answers';
import { histogram as shape } from '../contract/gen/telemetry-layout';
import {
  bucketFloorNs,
  bucketOf,
  countNeededFor,
  histogramDelta,
  largestNs,
  percentilesNs,
} from './histogram';

/** Yields a fixed sequence of pseudo-random numbers in [0, 1). */
function* randomNumbers(seed: number): Generator<number> {
  for (let state = seed; ;) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state / 2 ** 32;
  }
}

const distributions: [string, (random: number) => number][] = [
  ['uniform', (random) => 1_000 + random * 50_000],
  ['long-tailed', (random) => 2_000 * Math.exp(random * random * 9)],
  ['two humps', (random) => (random < 0.9 ? 5_000 + random * 1_000 : 2_000_000 + random * 5_000)],
  ['constant', () => 77_777],
];

function histogramOf(latenciesNs: number[]): Uint32Array {
  const counts = new Uint32Array(shape.buckets);
  for (const latencyNs of latenciesNs) counts[bucketOf(latencyNs)]! += 1;
  return counts;
}

describe('percentiles agree with a sorted array', () => {
  test.each(distributions)('%s', (_, latencyOf) => {
    const random = randomNumbers(42);
    const latenciesNs = Array.from({ length: 10_000 }, () => latencyOf(random.next().value as number));
    const sorted = latenciesNs.toSorted((a, b) => a - b);
    const percentiles = [1, 25, 50, 90, 95, 99, 99.9];
    const found = percentilesNs(histogramOf(latenciesNs), percentiles, latenciesNs.length);
    for (const [i, percentile] of percentiles.entries()) {
      const exactNs = sorted[Math.ceil((percentile / 100) * sorted.length) - 1]!;
      expect(Math.abs(found[i]! / exactNs - 1), `p${percentile}`).toBeLessThanOrEqual(1 / 512);
    }
  });
});

describe('buckets', () => {
  test('each begins where the one before ends', () => {
    for (let bucket = 1; bucket < shape.buckets; bucket += 1) {
      const floorNs = bucketFloorNs(bucket);
      expect(bucketOf(floorNs)).toBe(bucket);
      expect(bucketOf(floorNs - 0.5)).toBe(bucket - 1);
    }
  });

  test.each([
    [0, 0],
    [0.5, 0],
    [511, 511],
    [1024, 1024],
    [1025, 1024],
    [2 ** shape.max_bits, shape.buckets - 1],
    [Number.MAX_SAFE_INTEGER, shape.buckets - 1],
  ])('%d ns is in bucket %d', (latencyNs, bucket) => {
    expect(bucketOf(latencyNs)).toBe(bucket);
  });
});

test('a delta survives the wrap of a count at 2^32', () => {
  const before = new Uint32Array([2 ** 32 - 2, 5]);
  const after = new Uint32Array([3, 9]);
  expect([...histogramDelta(before, after)]).toEqual([5, 4]);
});

test('the largest value is found to the middle of its bucket', () => {
  expect(largestNs(histogramOf([3_000, 81_234, 20_000]))! / 81_234).toBeCloseTo(1, 1);
  expect(largestNs(histogramOf([100]))).toBe(100);
  expect(largestNs(new Uint32Array(shape.buckets))).toBeNull();
});

test.each(latency_answers.map((answers) => [answers.name, answers] as const))(
  'the engine and the page say the same of %s',
  (_, { counts, latency_ms }) => {
    const all = new Uint32Array(shape.buckets);
    for (const [bucket, count] of counts) all[bucket] = count;
    const enough = Number.POSITIVE_INFINITY;
    const figuresNs = [...percentilesNs(all, [50, 95, 99], enough), largestNs(all)];
    const { p50, p95, p99, max } = latency_ms;
    // The engine reports 0 for an empty histogram.
    expect(figuresNs.map((ns) => (ns ?? 0) / 1e6)).toEqual([p50, p95, p99, max]);
  },
);

describe('too little data', () => {
  const counts = histogramOf([10_000, 20_000, 30_000]);

  test.each([
    [0, [null, null, null]],
    [3, [expect.any(Number), null, null]],
    [20, [expect.any(Number), expect.any(Number), null]],
    [100, [expect.any(Number), expect.any(Number), expect.any(Number)]],
  ])('%d timed transactions', (timed, expected) => {
    expect(percentilesNs(counts, [50, 95, 99], timed)).toEqual(expected);
  });

  test('an empty histogram has no percentiles', () => {
    expect(percentilesNs(new Uint32Array(shape.buckets), [50], 100)).toEqual([null]);
  });

  test.each([
    [50, 2],
    [95, 20],
    [99, 100],
  ])('p%d needs %d values', (percentile, count) => {
    expect(countNeededFor(percentile)).toBe(count);
  });
});
