import { describe, expect, test } from 'vitest';

import type { UslFit, UslPoint } from '../../contract/experiment-outcome';
import { coefficientsOf, uslThroughput } from './usl';
import { fitUsl } from './usl-fit';

function fitted(points: UslPoint[]): UslFit {
  const outcome = fitUsl(points);
  if (!outcome.ok) throw new Error(outcome.reason);
  return outcome.fit;
}

const pointsOf = (throughputs: [number, number][]) =>
  throughputs.map(([threads, throughput]) => ({ threads, throughput }));

// Sun SPARCcenter 2000 in SPEC SDM91, October 1994, users and scripts per hour: Gunther, Guerrilla
// Capacity Planning (Springer 2007). Coefficients, standard errors and peak are those that
// Moeding's R package usl 3.0 prints.
const specSdm91 = pointsOf([
  [1, 64.9],
  [18, 995.9],
  [36, 1652.4],
  [72, 1853.2],
  [108, 1828.9],
  [144, 1775.0],
  [216, 1702.2],
]);

// A ray tracer on an SGI Origin 2000, from the same book. Coefficients and intervals are those in
// that package's tests.
const raytracer = pointsOf([
  [1, 20],
  [4, 78],
  [8, 130],
  [12, 170],
  [16, 190],
  [20, 200],
  [24, 210],
  [28, 230],
  [32, 260],
  [48, 280],
  [64, 310],
]);

describe('published data give the published coefficients', () => {
  test('SPEC SDM91', () => {
    const { lambda, sigma, kappa, peak } = fitted(specSdm91);
    expect(lambda.value).toBeCloseTo(89.995233, 3);
    expect(sigma.value).toBeCloseTo(0.0277285, 6);
    expect(kappa.value).toBeCloseTo(0.0001044, 7);
    expect(peak!.threads).toBeCloseTo(96.5, 0);
    const tOf4 = 2.776445;
    const standardError = ({ value, interval }: typeof lambda) => (interval[1] - value) / tOf4;
    expect(standardError(lambda)).toBeCloseTo(14.2134894, 3);
    expect(standardError(sigma)).toBeCloseTo(0.0091217, 6);
    expect(standardError(kappa)).toBeCloseTo(0.0000199, 7);
  });

  test('the ray tracer, whose κ is held at 0: it has no peak', () => {
    const { lambda, sigma, kappa, peak } = fitted(raytracer);
    expect(lambda.value).toBeCloseTo(21.8488, 2);
    expect(sigma.value).toBeCloseTo(0.0578, 3);
    expect(kappa.value).toBe(0);
    expect(kappa.interval[0]).toBe(0);
    expect(peak).toBeNull();
  });
});

describe('points on a curve of the law give back its coefficients', () => {
  test.each<[string, [number, number, number]]>([
    ['contention and coherency', [1000, 0.05, 0.002]],
    ['contention only', [250, 0.2, 0]],
    ['coherency only', [64000, 0, 0.0005]],
    ['neither', [3, 0, 0]],
    ['a peak below two threads', [500, 0.3, 0.4]],
  ])('%s', (_, coefficients) => {
    const counts = [1, 2, 4, 8, 16, 32, 64];
    const fit = fitted(counts.map((n) => ({ threads: n, throughput: uslThroughput(n, coefficients) })));
    for (const [i, value] of coefficientsOf(fit).entries()) {
      expect(value).toBeCloseTo(coefficients[i]!, 6);
    }
    expect(fit.r_squared).toBeCloseTo(1, 9);
  });

  test('the law by hand: two threads at σ = 0.1 and κ = 0.05 do 2λ / 1.2', () => {
    expect(uslThroughput(2, [600, 0.1, 0.05])).toBeCloseTo(1000, 9);
  });

  test('the peak by hand: σ = 0.19 and κ = 0.01 make it 9 threads', () => {
    const counts = [1, 3, 6, 9, 15, 30];
    const fit = fitted(counts.map((n) => ({ threads: n, throughput: uslThroughput(n, [100, 0.19, 0.01]) })));
    expect(fit.peak!.threads).toBeCloseTo(9, 4);
    expect(fit.peak!.throughput).toBeCloseTo(900 / 3.24, 3);
  });
});

test('the order of the points does not matter', () => {
  expect(fitted([...specSdm91].reverse())).toEqual(fitted(specSdm91));
});

test.each<[string, UslPoint[], RegExp]>([
  ['too few points', specSdm91.slice(0, 3), /at least 4 thread counts, got 3/],
  [
    'a standstill',
    pointsOf([
      [1, 10],
      [2, 18],
      [4, 0],
      [8, 30],
    ]),
    /no throughput with 4 threads/,
  ],
  [
    'more than linear growth',
    pointsOf([
      [1, 10],
      [2, 30],
      [4, 50],
      [8, 60],
    ]),
    /superlinear from 1 to 2 threads,/,
  ],
  [
    'two peaks',
    pointsOf([
      [1, 100],
      [2, 190],
      [4, 30],
      [8, 20],
      [16, 300],
    ]),
    /superlinear from 8 to 16|does not follow the law/,
  ],
  [
    'a jump down',
    pointsOf([
      [1, 100],
      [2, 200],
      [4, 400],
      [8, 30],
      [16, 30],
      [32, 30],
    ]),
    /does not follow the law: fit error \d+ %, limit 5 %/,
  ],
])('no fit is made of %s, and the reason is said', (_, points, reason) => {
  const outcome = fitUsl(points);
  expect(outcome).toEqual({ ok: false, reason: expect.stringMatching(reason) as string });
});
