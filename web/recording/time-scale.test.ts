import { expect, test } from 'vitest';

import { chartRange, timeScaleOf } from './time-scale';

const real = timeScaleOf({ platform: 'threads', duration_s: null });
const virtual = timeScaleOf({ platform: 'virtual', duration_s: null, interval_s: 0.02 });

test('real time is shown half a minute long', () => {
  expect(chartRange(real, 5, false)).toEqual({ from_s: 0, to_s: 30 });
  expect(chartRange(real, 42, false)).toEqual({ from_s: 12, to_s: 42 });
  expect(chartRange(real, 42, true)).toEqual({ from_s: 0, to_s: 42 });
});

test('virtual time is shown from the start, and the axis grows in round numbers', () => {
  expect(chartRange(virtual, 0, false)).toEqual({ from_s: 0, to_s: 0.04 });
  expect(chartRange(virtual, 0.041, false)).toEqual({ from_s: 0, to_s: 0.05 });
  expect(chartRange(virtual, 0.3, false)).toEqual({ from_s: 0, to_s: 0.5 });
  expect(chartRange(virtual, 0.013, true)).toEqual({ from_s: 0, to_s: 0.013 });
});

test('a virtual run of a stated length has an axis of that length', () => {
  const scale = timeScaleOf({ platform: 'virtual', duration_s: 0.05, interval_s: 0.02 });
  expect(chartRange(scale, 0.02, false)).toEqual({ from_s: 0, to_s: 0.05 });
});

test('windows are parts of the sample that stands for a second', () => {
  expect(virtual).toMatchObject({ interval_s: 0.02, now_window_s: 0.02, table_window_s: 0.1 });
  // A spec that says nothing means full seconds; a run may be shorter than those.
  expect(timeScaleOf({ platform: 'virtual', duration_s: null }).now_window_s).toBe(1);
  expect(timeScaleOf({ platform: 'virtual', duration_s: 0.004 }).now_window_s).toBe(0.004);
});
