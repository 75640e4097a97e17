import { expect, test } from 'vitest';

import { snapshotOf } from '../analysis/test-fixtures';
import { timeShares } from './window';

const before = snapshotOf({ clientStates: { running: 10, waiting: 5, parked: 3 } });

test('shares are of the time outside of the gate', () => {
  const after = snapshotOf({ clientStates: { running: 20, waiting: 30, spinning: 5, io: 10, parked: 99 } });
  expect(timeShares({ before, after })).toEqual({
    running: 0.2,
    stalled: 0,
    spinning: 0.1,
    waiting: 0.5,
    following: 0,
    ready: 0,
    sleeping: 0,
    io: 0.2,
  });
});

test('time in which a core stalls for a cache line is a part of the whole', () => {
  const after = snapshotOf({ clientStates: { running: 20, stalled: 30, waiting: 5, ready: 10, parked: 3 } });
  expect(timeShares({ before, after })).toMatchObject({ running: 0.2, stalled: 0.6, ready: 0.2 });
});

test('the server’s own threads have shares of their own', () => {
  const after = snapshotOf({ clientStates: { running: 20 }, serverStates: { sleeping: 3, io: 1 } });
  expect(timeShares({ before, after }, 'serverStates')).toMatchObject({
    running: 0,
    sleeping: 0.75,
    io: 0.25,
  });
});

test('what no look can tell is not known, and the others are shares of what is', () => {
  const unknown = { stalled: Number.NaN, ready: Number.NaN };
  const window = {
    before: snapshotOf({ clientStates: unknown }),
    after: snapshotOf({ clientStates: { ...unknown, running: 3, waiting: 1 } }),
  };
  expect(timeShares(window)).toMatchObject({ running: 0.75, stalled: null, waiting: 0.25, ready: null });
});

test('without samples nothing is known', () => {
  expect(timeShares({ before, after: before })).toBeNull();
});
