import { describe, expect, test } from 'vitest';

import { bucketOf } from './histogram';
import { snapshotOf } from './test-fixtures';
import { counterGrowth, ratePerSecond, windowLatencies, windowSeconds } from './window';

const before = snapshotOf({ runNs: 1e9, counters: { transactions: 100, latency_samples: 10 } });
const after = snapshotOf({ runNs: 3e9, counters: { transactions: 700, latency_samples: 40 } });

test('a rate is growth per second of run time', () => {
  expect(windowSeconds({ before, after })).toBe(2);
  expect(counterGrowth({ before, after }, 'transactions')).toBe(600);
  expect(ratePerSecond({ before, after }, 'transactions')).toBe(300);
});

describe('nothing is said', () => {
  test('about two readings of different runs', () => {
    const nextRun = snapshotOf({ runGeneration: 1, runNs: 4e9 });
    expect(ratePerSecond({ before, after: nextRun }, 'transactions')).toBeNull();
  });

  test('about no time', () => {
    expect(ratePerSecond({ before: after, after }, 'transactions')).toBeNull();
  });

  test('about a counter that does not exist', () => {
    expect(() => ratePerSecond({ before, after }, 'block_writes')).toThrow('no counter block_writes');
  });
});

test('percentiles need enough timed transactions within the window, however they are weighted', () => {
  after.histogram[100] = 30_000;
  const [p50Ns, p99Ns] = windowLatencies({ before, after }, [50, 99]).percentilesNs;
  expect(p50Ns).toBeGreaterThan(0);
  expect(p99Ns).toBeNull();
});

test('the maximum is that of the window, and needs one timed transaction', () => {
  const earlier = snapshotOf({ runNs: 1e9, counters: { latency_samples: 1 }, histogram: { 200: 1 } });
  const later = snapshotOf({ runNs: 2e9, counters: { latency_samples: 2 }, histogram: { 200: 1, 100: 1 } });
  const maxNs = windowLatencies({ before: earlier, after: later }, []).maxNs!;
  expect(bucketOf(maxNs)).toBe(100);
  expect(windowLatencies({ before: later, after: later }, []).maxNs).toBeNull();
});
