import { expect, test } from 'vitest';

import {
  holdWindow,
  initialThreadWindow,
  panWindow,
  WIDTH_MAX_NS,
  WIDTH_MIN_NS,
  windowRange,
  windowWith,
  zoomWindow,
  type ThreadWindow,
} from './thread-window';

const known = { knownFromNs: 1_000, nowNs: 10_000 };
const following: ThreadWindow = { ...initialThreadWindow, widthNs: 2_000 };
const held: ThreadWindow = { ...following, endNs: 6_000 };

test('a window follows the run until it is held', () => {
  expect(windowRange(following, 10_000)).toEqual({ fromNs: 8_000, toNs: 10_000 });
  expect(windowRange(held, 10_000)).toEqual({ fromNs: 4_000, toNs: 6_000 });
  expect(holdWindow(following, known).endNs).toBe(10_000);
});

test('a run that is younger than the window is shown from its start', () => {
  expect(windowRange(following, 500)).toEqual({ fromNs: 0, toNs: 2_000 });
});

test('zoom keeps what is under the pointer in its place', () => {
  const closer = zoomWindow(held, known, 0.5, 4_500);
  expect(windowRange(closer, 10_000)).toEqual({ fromNs: 4_250, toNs: 5_250 });
});

test('zoom ends at the narrowest and at the widest window', () => {
  expect(zoomWindow(held, known, 1e-9, 5_000).widthNs).toBe(WIDTH_MIN_NS);
  expect(zoomWindow(held, known, 1e9, 5_000).widthNs).toBe(WIDTH_MAX_NS);
});

test('a window can be moved back as far as anything is known, and follows the run at its end', () => {
  expect(panWindow(held, known, -500).endNs).toBe(5_500);
  expect(panWindow(held, known, -50_000).endNs).toBe(3_000);
  expect(panWindow(held, known, 50_000).endNs).toBeNull();
});

test('a moment outside of the window moves it there', () => {
  expect(windowWith(held, known, 5_000)).toBe(held);
  expect(windowRange(windowWith(held, known, 8_000), 10_000)).toEqual({ fromNs: 7_000, toNs: 9_000 });
});
