// Fits the Universal Scalability Law (usl.ts) to measured throughputs. It loads with its libraries
// when a sweep needs it.
import { mean, sum } from 'd3-array';
import { levenbergMarquardt } from 'ml-levenberg-marquardt';
import { Matrix, SVD } from 'ml-matrix';

import type { UslCoefficient, UslFit, UslOutcome, UslPoint } from '../../contract/experiment-outcome';
import { studentT } from './student';
import { loadOf, USL_ERROR_MAX, USL_POINTS_MIN, uslThroughput, type Coefficients } from './usl';

/**
 * Maximum gain of a thread among others over a thread alone. The law does not allow any; a larger
 * gain is an error.
 */
const SUPERLINEAR_TOLERANCE = 0.1;

/**
 * Fits the law by least squares with σ and κ at least 0, or returns the reason why it does not fit.
 *
 * Intervals use the covariance matrix of the coefficients at the solution, and Student's t. The
 * degrees of freedom are the number of points beyond three. Parts of intervals below 0 are cut off.
 *
 * REQUIRES: one point per thread count. Repeats of one count deviate from the curve together, so
 * separate points would make the intervals too narrow.
 */
export function fitUsl(points: readonly UslPoint[]): UslOutcome {
  const sorted = [...points].sort((a, b) => a.threads - b.threads);
  const reason = reasonAgainst(sorted);
  if (reason !== null) return { ok: false, reason };
  const coefficients = bestCoefficients(sorted);
  const fit = describeFit(sorted, coefficients);
  if (fit === null)
    return { ok: false, reason: 'these thread counts do not determine all three coefficients' };
  if (fit.relative_error > USL_ERROR_MAX) {
    const [off, most] = [fit.relative_error, USL_ERROR_MAX].map((share) => `${Math.ceil(share * 100)} %`);
    return {
      ok: false,
      reason: `throughput does not follow the law: fit error ${off}, limit ${most}`,
    };
  }
  return { ok: true, fit };
}

function reasonAgainst(sorted: readonly UslPoint[]): string | null {
  if (sorted.length < USL_POINTS_MIN) {
    return `needs at least ${USL_POINTS_MIN} thread counts, got ${sorted.length}`;
  }
  const idle = sorted.find(({ throughput }) => !(throughput > 0));
  if (idle !== undefined) return `no throughput with ${idle.threads} threads`;
  return superlinearity(sorted);
}

function superlinearity(sorted: readonly UslPoint[]): string | null {
  const perThread = sorted.map(({ threads, throughput }) => throughput / threads);
  for (let i = 1; i < sorted.length; i += 1) {
    const least = Math.min(...perThread.slice(0, i));
    if (perThread[i]! <= least * (1 + SUPERLINEAR_TOLERANCE)) continue;
    const before = sorted[perThread.indexOf(least)]!.threads;
    return `scaling is superlinear from ${before} to ${sorted[i]!.threads} threads, which the law does not describe`;
  }
  return null;
}

/**
 * Fits with σ, κ, both or neither fixed at 0, so that a bound is reached exactly. Returns the fit
 * with the smallest error.
 */
function bestCoefficients(sorted: readonly UslPoint[]): Coefficients {
  const start = startValues(sorted);
  const candidates = (
    [
      [true, true],
      [true, false],
      [false, true],
      [false, false],
    ] as const
  ).map((isFree) => optimize(sorted, start, isFree));
  return candidates.reduce((best, candidate) =>
    squaresMissed(sorted, candidate) < squaresMissed(sorted, best) * (1 - 1e-9) ? candidate : best,
  );
}

/**
 * Returns start values without iteration: N / X(N) is a quadratic polynomial of N with coefficients
 * 1/λ, σ/λ and κ/λ.
 */
function startValues(sorted: readonly UslPoint[]): Coefficients {
  const rows = sorted.map(({ threads }) => [1, threads - 1, threads * (threads - 1)]);
  const values = sorted.map(({ threads, throughput }) => threads / throughput);
  // Weights that make the throughputs equally certain, not their reciprocals.
  const weights = sorted.map(({ threads, throughput }) => (throughput ** 2 / threads) ** 2);
  const solution = linearLeastSquares(rows, values, weights);
  const perThread = Math.max(...sorted.map(({ threads, throughput }) => throughput / threads));
  if (solution === null || !(solution[0]! > 0)) return [perThread, 0, 0];
  const [reciprocal, contention, coherency] = solution as [number, number, number];
  return [1 / reciprocal, clamp(contention / reciprocal, 0, 1), Math.max(0, coherency / reciprocal)];
}

const clamp = (value: number, low: number, high: number) => Math.min(Math.max(value, low), high);

function optimize(
  sorted: readonly UslPoint[],
  [lambda, sigma, kappa]: Coefficients,
  [sigmaIsFree, kappaIsFree]: readonly [boolean, boolean],
): Coefficients {
  const largest = Math.max(...sorted.map(({ throughput }) => throughput));
  const mostThreads = Math.max(2, sorted.at(-1)!.threads);
  // Units in which all coefficients and throughputs are about 1.
  const unit: Coefficients = [lambda, 1 / (mostThreads - 1), 1 / (mostThreads * (mostThreads - 1))];
  const inUnits = (scaled: readonly number[]): Coefficients => [
    scaled[0]! * unit[0],
    sigmaIsFree ? scaled[1]! * unit[1] : 0,
    kappaIsFree ? scaled[2]! * unit[2] : 0,
  ];
  const isFree = [true, sigmaIsFree, kappaIsFree];
  const { parameterValues: scaled } = levenbergMarquardt(
    {
      x: sorted.map(({ threads }) => threads),
      y: sorted.map(({ throughput }) => throughput / largest),
    },
    (parameters) => (threads) => uslThroughput(threads, inUnits(parameters)) / largest,
    {
      initialValues: [1, sigma / unit[1], kappa / unit[2]],
      minValues: [1e-6, 0, 0],
      maxValues: [1e6, 1 / unit[1], 1e6],
      jacobianFunction: (parameters) => (threads) =>
        gradient(threads, inUnits(parameters)).map((slope, i) =>
          isFree[i]! ? (slope * unit[i]!) / largest : 0,
        ),
      damping: 1e-3,
      maxIterations: 200,
      errorTolerance: 1e-14,
    },
  );
  return inUnits(scaled);
}

/** Returns the derivatives of X(N) by λ, σ and κ. */
function gradient(threads: number, [lambda, sigma, kappa]: Coefficients): [number, number, number] {
  const load = loadOf(threads, sigma, kappa);
  const perLoad = (-lambda * threads * (threads - 1)) / load ** 2;
  return [threads / load, perLoad, perLoad * threads];
}

const squaresMissed = (sorted: readonly UslPoint[], coefficients: Coefficients) =>
  sum(sorted, ({ threads, throughput }) => (throughput - uslThroughput(threads, coefficients)) ** 2);

function describeFit(sorted: readonly UslPoint[], coefficients: Coefficients): UslFit | null {
  const inverse = inverseOfNormalMatrix(sorted.map(({ threads }) => gradient(threads, coefficients)));
  if (inverse === null) return null;
  const missed = squaresMissed(sorted, coefficients);
  const degreesOfFreedom = sorted.length - coefficients.length;
  const variance = missed / degreesOfFreedom;
  const describe = (i: 0 | 1 | 2): UslCoefficient => {
    const halfWidth = studentT(degreesOfFreedom) * Math.sqrt(variance * inverse[i]![i]!);
    const value = coefficients[i];
    return { value, interval: [Math.max(0, value - halfWidth), value + halfWidth] };
  };
  const meanThroughput = mean(sorted, ({ throughput }) => throughput)!;
  const spread = sum(sorted, ({ throughput }) => (throughput - meanThroughput) ** 2);
  return {
    lambda: describe(0),
    sigma: describe(1),
    kappa: describe(2),
    peak: peakOf(coefficients),
    r_squared: spread === 0 ? 1 : 1 - missed / spread,
    relative_error: Math.sqrt(missed / sorted.length) / meanThroughput,
  };
}

function peakOf(coefficients: Coefficients): UslPoint | null {
  const [, sigma, kappa] = coefficients;
  if (kappa === 0) return null;
  const threads = Math.max(1, Math.sqrt(Math.max(0, 1 - sigma) / kappa));
  return { threads, throughput: uslThroughput(threads, coefficients) };
}

/**
 * Returns the coefficients c that minimize the weighted squares of y − X c; null if the columns of
 * X do not determine them.
 */
export function linearLeastSquares(
  rows: readonly (readonly number[])[],
  values: readonly number[],
  weights: readonly number[],
): number[] | null {
  const roots = weights.map(Math.sqrt);
  const solved = decompose(rows.map((row, i) => row.map((entry) => entry * roots[i]!)));
  const rightSide = Matrix.columnVector(values.map((value, i) => value * roots[i]!));
  return solved?.svd.solve(rightSide).divColumnVector(solved.sizes).to1DArray() ?? null;
}

/**
 * Returns (XᵀX)⁻¹, or null if it does not exist. Multiplied by the variance of a residual, it is
 * the covariance of the coefficients.
 */
export function inverseOfNormalMatrix(rows: readonly (readonly number[])[]): number[][] | null {
  const solved = decompose(rows);
  if (solved === null) return null;
  const inverse = solved.svd.inverse().divColumnVector(solved.sizes);
  return inverse.mmul(inverse.transpose()).to2DArray();
}

/** Above this condition number, double rounding dominates the result. */
const CONDITION_MAX = 1e6;

/**
 * Scales columns of very different sizes to the same size, so that their condition number is
 * meaningful.
 */
function decompose(rows: readonly (readonly number[])[]): { svd: SVD; sizes: number[] } | null {
  const matrix = new Matrix(rows.map((row) => [...row]));
  const sizes = Array.from({ length: matrix.columns }, (_, i) => matrix.getColumnVector(i).norm());
  if (sizes.some((size) => !(size > 0))) return null;
  const svd = new SVD(matrix.divRowVector(sizes));
  return svd.condition < CONDITION_MAX ? { svd, sizes } : null;
}
