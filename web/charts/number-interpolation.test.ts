import { scaleLinear } from 'd3-scale';
import { expect, test } from 'vitest';

import { interpolateNumber, interpolateRound } from './number-interpolation';

// Tests have the original d3-interpolate.
test.each([
  [0, 1],
  [-3, 1200.7],
  [5, 5],
  [1e-9, 1e9],
] as const)('interpolates from %d to %d as scales of the original do', (from, to) => {
  const original = scaleLinear([0, 1], [from, to]);
  for (const part of [0, 0.25, 0.5, 0.9, 1, 1.5]) {
    expect(interpolateNumber(from, to)(part)).toBe(original(part));
    expect(interpolateRound(from, to)(part)).toBe(Math.round(original(part)));
  }
});
