// Classifies the interval of a throughput ratio as one of four verdicts.
import { mean, variance } from 'd3-array';

import { formatFigure } from '../format';
import type { RatioEstimate, Verdict } from '../../contract/experiment-outcome';
import { studentT } from './student';

/** Smaller differences do not matter. */
export const EQUIVALENCE_MARGIN = 0.02;
/** Fewer repeats do not support an interval. */
const REPEATS_MIN = 3;

/** Returns the range of ratios that count as equal, symmetric around 1 on a logarithmic scale. */
export const equalRatios = (margin = EQUIVALENCE_MARGIN): readonly [number, number] => [
  1 / (1 + margin),
  1 + margin,
];

/**
 * Returns the verdict on an interval:
 *
 * - `no_difference`: it is within the margin around 1. It may exclude 1, because a difference
 *   smaller than the margin does not matter.
 * - `faster`: it is above 1, and part of it is above the margin.
 * - `slower`: it is below 1, and part of it is below the margin.
 * - `cannot_tell`: it contains 1 and extends beyond the margin, or there are too few repeats.
 */
export function verdictOf(estimate: RatioEstimate | null, margin = EQUIVALENCE_MARGIN): Verdict {
  if (estimate?.interval == null || estimate.pairs < REPEATS_MIN) return 'cannot_tell';
  const [low, high] = estimate.interval;
  const [lowestEqual, highestEqual] = equalRatios(margin);
  if (low >= lowestEqual && high <= highestEqual) return 'no_difference';
  if (low > 1) return 'faster';
  return high < 1 ? 'slower' : 'cannot_tell';
}

interface Compared {
  a: string;
  b: string;
  estimate: RatioEstimate | null;
  /** Name of the repeats. */
  repeatsAre: 'seeds' | 'pairs of runs';
  margin?: number;
}

/** Returns the verdict as a sentence with its numbers. */
export function verdictSentence({
  a,
  b,
  estimate,
  repeatsAre,
  margin = EQUIVALENCE_MARGIN,
}: Compared): string {
  if (estimate === null) return `Not enough runs yet to compare ${b} with ${a}.`;
  const { ratio, interval, pairs } = estimate;
  const times = `${formatRatio(ratio)} times as fast as ${a}`;
  if (interval === null || pairs < REPEATS_MIN) {
    return `${b} was ${times}, but a verdict needs at least ${REPEATS_MIN} repeats.`;
  }
  const digits = digitsToTellApart(interval);
  const [low, high] = interval.map((bound) => formatRatio(bound, digits));
  const basis = `(95 % interval ${low} to ${high}, ${pairs} ${repeatsAre})`;
  switch (verdictOf(estimate, margin)) {
    case 'faster':
      return `${b} is ${formatRatio(ratio, digits)} times as fast as ${a} ${basis}.`;
    case 'slower':
      return `${b} is slower: ${formatRatio(ratio, digits)} times as fast as ${a} ${basis}.`;
    case 'no_difference':
      return `${b} is as fast as ${a}, to within ${formatFigure(margin * 100)} % ${basis}.`;
    case 'cannot_tell':
      return `${b} may be faster or slower than ${a} ${basis}. Use more repeats or longer runs.`;
  }
}

/** 2.4, 0.42, 12.3; `digits` significant digits. */
export function formatRatio(ratio: number, digits = 3): string {
  return ratio.toLocaleString('en', { maximumSignificantDigits: digits });
}

/** Returns the number of digits at which the ends of an interval differ. */
function digitsToTellApart([low, high]: readonly [number, number]): number {
  for (let digits = 2; digits < 6; digits += 1) {
    const gap = (high - low) / high;
    if (gap >= 10 ** (1 - digits)) return digits + 1;
  }
  return 6;
}

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
