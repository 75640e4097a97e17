import { expect, test } from 'vitest';

import { uslThroughput, type Coefficients } from '../statistics/usl';
import { benchmarkPoints, uslOfRuns } from './benchmark-curve';
import { runsOf } from './test-fixtures';

const law: Coefficients = [400, 0.03, 0.0008];
const onLaw = (threads: number): [number, number] => [threads, uslThroughput(threads, law)];

test('runs with one thread count are repeats, wherever they are in the texts', () => {
  const points = benchmarkPoints(runsOf([16, 1200, 20], [1, 300, 4], [16, 1100, null], [16, 1300, 24]));
  expect(points).toEqual([
    { threads: 1, tps: [300], meanTps: 300, p95Ms: [4] },
    { threads: 16, tps: [1200, 1100, 1300], meanTps: 1200, p95Ms: [20, 24] },
  ]);
});

test('the law is fitted to the mean of each thread count', () => {
  const [threads, tps] = onLaw(16);
  const others = [1, 4, 64].map(onLaw);
  const usl = uslOfRuns(runsOf(...others, [threads, tps * 0.9], [threads, tps * 1.1]));
  if (!usl!.ok) throw new Error(usl!.reason);
  const { sigma, kappa, peak } = usl!.fit;
  expect(sigma.value).toBeCloseTo(0.03, 5);
  expect(kappa.value).toBeCloseTo(0.0008, 6);
  expect(peak!.threads).toBeCloseTo(34.8, 1);
});

test('repeats do not stand for thread counts that are missing', () => {
  const usl = uslOfRuns(runsOf(...[1, 4, 16, 16, 16].map(onLaw)));
  expect(usl).toEqual({ ok: false, reason: 'needs at least 4 thread counts, got 3' });
  expect(uslOfRuns([])).toBeNull();
});
