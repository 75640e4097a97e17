// Where the warm-up of a run ends, and whether what is left is steady. The first is MSER-5 (K. P. White, "An effective truncation
// heuristic for bias reduction in simulation output", Simulation 69(6), 1997; in batches of five: White, Cobb and Spratt, Winter
// Simulation Conference 2000), the second a t-test of halves.
import { mean, sum, variance } from 'd3-array';

import { studentT95 } from './student';

const BATCH = 5;
/** Halves that differ by less are equal for what the page shows, however certain the difference is. */
const DIFFERENCE_MAX = 0.05;

export interface WarmUp {
  /** So many values at the beginning are of the warm-up. */
  values: number;
  /** The two halves of the rest have the same mean, by all that can be told. */
  is_steady: boolean;
}

/**
 * Leaves out as many batches, up to half of them, as make the standard error of the mean of the others least: a batch that is
 * far from those after it makes it larger, and so does having fewer batches.
 */
export function warmUpOf(values: readonly number[]): WarmUp {
  const batches = Array.from({ length: Math.floor(values.length / BATCH) }, (_, batch) =>
    mean(values.slice(batch * BATCH, (batch + 1) * BATCH))!,
  );
  const left_out = Array.from({ length: Math.floor(batches.length / 2) + 1 }, (_, count) => count);
  const errors = left_out.map((count) => squaredError(batches.slice(count)));
  const best = Math.max(0, errors.indexOf(Math.min(...errors)));
  return { values: best * BATCH, is_steady: isSteady(batches.slice(best)) };
}

/** Of the mean, up to a factor. */
function squaredError(batches: readonly number[]): number {
  const center = mean(batches) ?? 0;
  return sum(batches, (value) => (value - center) ** 2) / batches.length ** 2;
}

/** False also of less than two batches in each half. */
function isSteady(batches: readonly number[]): boolean {
  const middle = Math.floor(batches.length / 2);
  const [early, late] = [batches.slice(0, middle), batches.slice(middle)];
  if (early.length < 2) return false;
  const difference = Math.abs(mean(late)! - mean(early)!);
  if (difference <= DIFFERENCE_MAX * mean(batches)!) return true;
  const error = Math.sqrt(variance(early)! / early.length + variance(late)! / late.length);
  return difference <= studentT95(batches.length - 2) * error;
}
