// Finds the end of a run's warm-up by MSER-5, and tests by a t-test of halves whether the rest is
// steady.
//
// - MSER-5: K. P. White, "An effective truncation heuristic for bias reduction in simulation
//   output", Simulation 69(6), 1997.
// - In batches of five: White, Cobb and Spratt, Winter Simulation Conference 2000.
import { mean, sum, variance } from 'd3-array';

import { studentT } from './student';

const BATCH = 5;
/** Halves that differ by less count as equal, however certain the difference is. */
const DIFFERENCE_MAX = 0.05;

export interface WarmUp {
  /** Number of values of the warm-up, at the beginning. */
  values: number;
  /** No difference is detectable between the means of the rest's two halves. */
  isSteady: boolean;
}

/**
 * Omits the number of batches, at most half of them, that minimizes the standard error of the mean.
 * The error grows with a batch that is far from the later ones, and with a smaller number of
 * batches.
 */
export function warmUpOf(values: readonly number[]): WarmUp {
  const batches = Array.from({ length: Math.floor(values.length / BATCH) }, (_, batch) =>
    mean(values.slice(batch * BATCH, (batch + 1) * BATCH))!,
  );
  const leftOut = Array.from({ length: Math.floor(batches.length / 2) + 1 }, (_, count) => count);
  const errors = leftOut.map((count) => squaredError(batches.slice(count)));
  const best = Math.max(0, errors.indexOf(Math.min(...errors)));
  return { values: best * BATCH, isSteady: isSteady(batches.slice(best)) };
}

/** Returns the squared standard error of the mean, up to a constant factor. */
function squaredError(batches: readonly number[]): number {
  const center = mean(batches) ?? 0;
  return sum(batches, (value) => (value - center) ** 2) / batches.length ** 2;
}

/** Returns false if a half has fewer than two batches. */
function isSteady(batches: readonly number[]): boolean {
  const middle = Math.floor(batches.length / 2);
  const [early, late] = [batches.slice(0, middle), batches.slice(middle)];
  if (early.length < 2) return false;
  const difference = Math.abs(mean(late)! - mean(early)!);
  if (difference <= DIFFERENCE_MAX * mean(batches)!) return true;
  const error = Math.sqrt(variance(early)! / early.length + variance(late)! / late.length);
  return difference <= studentT(batches.length - 2) * error;
}
