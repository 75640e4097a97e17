import { describe, expect, test } from 'vitest';

import type { Verdict } from '../../contract/experiment-outcome';
import { equalRatios, formatRatio, verdictOf, verdictSentence } from './verdict';

const estimate = (low: number, high: number, pairs = 5) => ({
  ratio: Math.sqrt(low * high),
  interval: [low, high] as const,
  pairs,
});

test.each<[string, number, number, Verdict]>([
  ['wholly above the margin', 2.1, 2.7, 'faster'],
  ['above 1 and partly within the margin', 1.005, 1.06, 'faster'],
  ['wholly below the margin', 0.3, 0.5, 'slower'],
  ['below 1 and partly within the margin', 0.9, 0.995, 'slower'],
  ['around 1 and within the margin', 0.99, 1.01, 'no_difference'],
  ['above 1, but within the margin', 1.005, 1.015, 'no_difference'],
  ['below 1, but within the margin', 0.985, 0.995, 'no_difference'],
  ['around 1 and beyond the margin on one side', 0.995, 1.05, 'cannot_tell'],
  ['around 1 and beyond the margin on both', 0.5, 2, 'cannot_tell'],
])('an interval %s: %f to %f is %s', (_, low, high, verdict) => {
  expect(verdictOf(estimate(low, high))).toBe(verdict);
});

test('the margin can be another one, and is as wide below 1 as above it', () => {
  expect(verdictOf(estimate(1.01, 1.06), 0.1)).toBe('no_difference');
  const [low, high] = equalRatios(0.25);
  expect([low, high]).toEqual([0.8, 1.25]);
});

test.each([
  ['two repeats', estimate(2, 3, 2)],
  ['one repeat', { ratio: 2, interval: null, pairs: 1 }],
  ['none', null],
])('%s tell nothing', (_, given) => {
  expect(verdictOf(given)).toBe('cannot_tell');
});

describe('the sentence says the verdict and what it rests on', () => {
  const sentence = (given: Parameters<typeof verdictOf>[0]) =>
    verdictSentence({ a: 'original', b: 'fixed', estimate: given, repeatsAre: 'seeds' });

  test.each<[Parameters<typeof verdictOf>[0], RegExp]>([
    [
      estimate(2.13, 2.7),
      /^fixed is 2\.4 times as fast as original \(95 % interval 2\.13 to 2\.7, 5 seeds\)\.$/,
    ],
    [estimate(0.4, 0.5), /^fixed is slower: 0\.447 times as fast/],
    [
      estimate(0.9991, 1.0009),
      /^fixed is as fast as original, to within 2 % \(95 % interval 0\.9991 to 1\.0009, 5/,
    ],
    [estimate(0.8, 1.4), /^fixed may be faster or slower than original .* Use more repeats/],
    [estimate(2, 3, 2), /^fixed was 2\.45 times as fast as original, but a verdict needs at least 3 repeats/],
    [null, /^Not enough runs yet/],
  ])('%o', (given, expected) => {
    expect(sentence(given)).toMatch(expected);
  });
});

test.each([
  [2.4, '2.4'],
  [0.4166, '0.417'],
  [1234.5, '1,230'],
])('a ratio of %f is written %s', (ratio, written) => {
  expect(formatRatio(ratio)).toBe(written);
});
