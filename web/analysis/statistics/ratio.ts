// How many times the one design's figure is the other's, from repeats in pairs.
import { mean, variance } from 'd3-array';

import type { RatioEstimate } from '../../contract/experiment-outcome';
import { studentT95 } from './student';

/** The two designs' figures of one repeat: the same seed, one right after the other. */
export type Pair = readonly [a: number, b: number];

/**
 * Works on logarithms, because a ratio of 2 and one of 1/2 are equally far from 1: mean of the log ratios and Student's
 * t interval around it, both taken back. Pairs keep what slows both runs of a repeat, such as a busy machine, out of it.
 * null if there is no pair, or a figure has no logarithm.
 */
export function ratioOfPairs(pairs: readonly Pair[]): RatioEstimate | null {
  const log_ratios = pairs.map(([a, b]) => Math.log(b / a));
  if (pairs.length === 0 || pairs.some(([a, b]) => !(a > 0 && b > 0))) return null;
  const count = log_ratios.length;
  const center = mean(log_ratios)!;
  const spread = variance(log_ratios);
  if (spread === undefined) return { ratio: Math.exp(center), interval: null, pairs: count };
  const half_width = studentT95(count - 1) * Math.sqrt(spread / count);
  return {
    ratio: Math.exp(center),
    interval: [Math.exp(center - half_width), Math.exp(center + half_width)],
    pairs: count,
  };
}
