import { expect, test } from 'vitest';

import { drawnSteps } from './drawn-steps';

const points = [100, 300, 0, 0, 50].map((tps, i) => ({
  t_s: 0.1 * (i + 1),
  tps,
  p99_ms: tps > 0 ? tps / 10 : null,
}));

test('a step has the mean throughput of its intervals, and of their percentiles the mean by transactions', () => {
  const [first, second, ...others] = drawnSteps(points, 2);
  expect(first).toEqual({
    t_s: 0.2,
    tps: expect.closeTo(200, 6) as number,
    p99_ms: expect.closeTo(25, 6) as number,
  });
  expect(second).toMatchObject({ t_s: 0.4, tps: 0, p99_ms: null });
  expect(others).toEqual([points[4]]);
});

test('what is left at the end, and is less than half a step, belongs to the last one', () => {
  expect(drawnSteps(points, 4).map(({ t_s }) => t_s)).toEqual([0.5]);
  expect(drawnSteps(points, 3).map(({ t_s }) => t_s)).toEqual([points[2]!.t_s, 0.5]);
});

test('intervals that are long enough are drawn as they are', () => {
  expect(drawnSteps(points, 1)).toEqual(points);
  expect(drawnSteps([], 4)).toEqual([]);
});
