import { expect, test } from 'vitest';

import { busiestTrack, occupationOf } from './occupation';
import { trackOf } from './test-fixtures';

const names = {
  functions: ['fil_io'],
  latches: ['buf_pool->mutex', 'fil_system->mutex'],
  latchSites: [
    { latch: 0, function: 0 },
    { latch: 1, function: 0 },
  ],
};

const part = { fromNs: 0, untilNs: 9000 };

test('the time in which it is held, or wanted and not held', () => {
  const track = trackOf([
    { at_ns: 0, kind: 'gets', slot: 1 },
    { at_ns: 50, kind: 'wants', slot: 2 },
    { at_ns: 100, kind: 'gives_back', slot: 1 },
    { at_ns: 400, kind: 'gets', slot: 2 },
    { at_ns: 500, kind: 'gives_back', slot: 2 },
    // For a while, no thread holds or wants it.
    { at_ns: 1400, kind: 'gets', slot: 1 },
    { at_ns: 1500, kind: 'gives_back', slot: 1 },
    // After the end of the part.
    { at_ns: 8900, kind: 'gets', slot: 1 },
    { at_ns: 9900, kind: 'gives_back', slot: 1 },
  ]);
  expect(occupationOf(track, part)).toEqual({ acquisitions: 3, share: 0.4 });
  expect(occupationOf(track, { fromNs: 8500, untilNs: 9000 })).toBeNull();
});

test('of the latches of a name, the one that was taken most often', () => {
  const gets = { at_ns: 0, kind: 'gets', slot: 1 } as const;
  const other = trackOf([gets, { ...gets, at_ns: 1 }, { ...gets, at_ns: 2 }], 0);
  const seldom = trackOf([gets], 1);
  const often = trackOf([gets, { ...gets, at_ns: 1 }], 1);
  expect(busiestTrack([other, seldom, often], 'fil_system->mutex', names)).toBe(often);
  expect(busiestTrack([other], 'fil_system->mutex', names)).toBeNull();
});
