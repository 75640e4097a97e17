import { expect, test } from 'vitest';

import { chartRange, timeScaleOf } from './time-scale';

const real = timeScaleOf({ platform: 'threads', duration_s: null });
const virtual = timeScaleOf({ platform: 'virtual', duration_s: null, interval_s: 0.02 });

test('the whole run is shown, half a minute of real time at least, and the axis grows in round numbers', () => {
  expect(chartRange(real, 5, false)).toEqual({ fromS: 0, toS: 30 });
  expect(chartRange(real, 42, false)).toEqual({ fromS: 0, toS: 50 });
  expect(chartRange(real, 3700, false)).toEqual({ fromS: 0, toS: 4000 });
  expect(chartRange(real, 42, true)).toEqual({ fromS: 0, toS: 42 });
});

test('the axis can start again from a mark', () => {
  expect(chartRange(real, 40.5, false, 40)).toEqual({ fromS: 40, toS: 43 });
  expect(chartRange(real, 47.5, false, 40)).toEqual({ fromS: 40, toS: 48 });
  expect(chartRange(real, 47.5, true, 40)).toEqual({ fromS: 40, toS: 47.5 });
});

test('so does the axis of virtual time', () => {
  expect(chartRange(virtual, 0, false)).toEqual({ fromS: 0, toS: 0.04 });
  expect(chartRange(virtual, 0.041, false)).toEqual({ fromS: 0, toS: 0.05 });
  expect(chartRange(virtual, 0.31, false)).toEqual({ fromS: 0, toS: 0.4 });
  expect(chartRange(virtual, 0.013, true)).toEqual({ fromS: 0, toS: 0.013 });
});

test('a virtual run of a stated length has an axis of that length', () => {
  const scale = timeScaleOf({ platform: 'virtual', duration_s: 0.05, interval_s: 0.02 });
  expect(chartRange(scale, 0.02, false)).toEqual({ fromS: 0, toS: 0.05 });
});

test('windows are parts of the sample that stands for a second', () => {
  expect(virtual).toMatchObject({ intervalS: 0.02, nowWindowS: 0.02, tableWindowS: 0.1 });
  // Without a duration in the spec, intervals are full seconds; a run may be shorter than that.
  expect(timeScaleOf({ platform: 'virtual', duration_s: null }).nowWindowS).toBe(1);
  expect(timeScaleOf({ platform: 'virtual', duration_s: 0.004 }).nowWindowS).toBe(0.004);
});
