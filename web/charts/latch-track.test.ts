import { expect, test } from 'vitest';

import { holdRuns, queueDepths, type TrackPicture } from './latch-track';

/** Three threads at one mutex: 1 holds it, 2 and 3 want it, 2 acquires it. One pixel is 10 ns. */
const picture: TrackPicture = {
  holds: [
    { slot: 1, site: 0, fromNs: 100, toNs: 130, mode: null },
    { slot: 2, site: 0, fromNs: 135, toNs: null, mode: null },
  ],
  queue: [
    { atNs: 105, depth: 1 },
    { atNs: 112, depth: 2 },
    { atNs: 135, depth: 1 },
  ],
  range: { fromNs: 100, toNs: 200 },
  nowNs: 160,
  columns: 10,
};

test('a track shows who held the latch, up to now', () => {
  expect(holdRuns(picture)).toEqual([
    { fromPx: 0, toPx: 3, slots: [1], mode: null, heldPart: 1 },
    { fromPx: 3, toPx: 4, slots: [2], mode: null, heldPart: 0.5 },
    { fromPx: 4, toPx: 6, slots: [2], mode: null, heldPart: 1 },
  ]);
});

test('a pixel shows who held the latch longest in it', () => {
  const shortHolds = [
    { slot: 1, site: 0, fromNs: 100, toNs: 102, mode: null },
    { slot: 2, site: 0, fromNs: 102, toNs: 107, mode: null },
    { slot: 3, site: 0, fromNs: 107, toNs: 110, mode: null },
  ];
  expect(holdRuns({ ...picture, holds: shortHolds })).toEqual([
    { fromPx: 0, toPx: 1, slots: [2], mode: null, heldPart: 1 },
  ]);
});

test('a hold that began before the window is shown from its edge on', () => {
  const range = { fromNs: 120, toNs: 130 };
  expect(holdRuns({ ...picture, range, columns: 1 })).toEqual([
    { fromPx: 0, toPx: 1, slots: [1], mode: null, heldPart: 1 },
  ]);
});

test('threads that share the latch have a stripe each, and a writer has all of it', () => {
  const shared = [1, 2, 3].map((slot) => ({
    slot,
    site: 0,
    fromNs: 100,
    toNs: 110 + slot,
    mode: 'S' as const,
  }));
  const writer = { slot: 9, site: 0, fromNs: 120, toNs: 130, mode: 'X' as const };
  expect(holdRuns({ ...picture, holds: [...shared, writer] })).toMatchObject([
    { fromPx: 0, toPx: 1, slots: [1, 2, 3], mode: 'S', heldPart: 1 },
    { fromPx: 1, toPx: 2, slots: [3, 2, 1], mode: 'S' },
    { fromPx: 2, toPx: 3, slots: [9], mode: 'X', heldPart: 1 },
  ]);
});

test('the queue is as deep as it was at its deepest within a pixel', () => {
  expect([...queueDepths(picture)]).toEqual([1, 2, 2, 2, 1, 1, 0, 0, 0, 0]);
});

test('a queue from before the window goes on within it', () => {
  const range = { fromNs: 120, toNs: 130 };
  expect([...queueDepths({ ...picture, range, columns: 1 })]).toEqual([2]);
});
