// Estimates the ratio of two designs' figures from paired repeats.
import { mean, variance } from 'd3-array';

import type { RatioEstimate } from '../../contract/experiment-outcome';
import { studentT } from './student';

/** Figures of two designs in one repeat: same seed, run back to back. */
export type Pair = readonly [a: number, b: number];

/**
 * Computes the mean of the log ratios and its Student's t interval, and converts both back to
 * ratios. On a logarithmic scale, a ratio and its reciprocal are equally far from 1.
 *
 * Pairing cancels effects on both runs of a repeat, such as a busy machine. Returns null without
 * pairs, or if a figure has no logarithm.
 */
export function ratioOfPairs(pairs: readonly Pair[], confidence = 0.95): RatioEstimate | null {
  const logRatios = pairs.map(([a, b]) => Math.log(b / a));
  if (pairs.length === 0 || pairs.some(([a, b]) => !(a > 0 && b > 0))) return null;
  const count = logRatios.length;
  const center = mean(logRatios)!;
  const spread = variance(logRatios);
  if (spread === undefined) return { ratio: Math.exp(center), interval: null, pairs: count };
  const halfWidth = studentT(count - 1, confidence) * Math.sqrt(spread / count);
  return {
    ratio: Math.exp(center),
    interval: [Math.exp(center - halfWidth), Math.exp(center + halfWidth)],
    pairs: count,
  };
}
