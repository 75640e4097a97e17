import { expect, test } from 'vitest';

import { hasReached, isAtOrBefore, partDone, targetOf } from './journey';

const here = { events: 5_000, runNs: 2_000 };
const known = { firstEvents: 1_000, furthest: { events: 9_000, runNs: 4_000 } };

test.each([
  [{ events: 1_000 }, { events: 1_000 }],
  [{ events: 9_000 }, { events: 9_000 }],
  [{ events_back: 1 }, { events: 4_999 }],
  [{ events_back: 4_000 }, { events: 1_000 }],
  [{ run_ns: 1_999.6 }, { runNs: 2_000 }],
  [{ run_ns: 0 }, { runNs: 0 }],
])('%j leads to %j', (moment, target) => {
  expect(targetOf(moment, here, known)).toEqual(target);
});

test.each([
  [{ events: 999 }, { field: 'events', value: '999', allowed: 'from 1000 to 9000' }],
  [{ events: 9_001 }, { field: 'events', value: '9001', allowed: 'from 1000 to 9000' }],
  [{ events: Number.NaN }, { field: 'events', value: 'NaN', allowed: 'from 1000 to 9000' }],
  [{ events_back: 4_001 }, { field: 'events_back', value: '4001', allowed: 'from 0 to 4000' }],
  [{ run_ns: -1 }, { field: 'run_ns', value: '-1', allowed: 'from 0 to 4000' }],
  [{ run_ns: 4_001 }, { field: 'run_ns', value: '4001', allowed: 'from 0 to 4000' }],
])('%j leads nowhere', (moment, error) => {
  expect(targetOf(moment, here, known)).toEqual({ refused: { outcome: 'wrong_value', errors: [error] } });
});

test('a target is told by events or by time', () => {
  expect([isAtOrBefore(here, { events: 5_000 }), isAtOrBefore(here, { runNs: 1_999 })]).toEqual([
    true,
    false,
  ]);
  expect([hasReached(here, { events: 5_001 }), hasReached(here, { runNs: 2_000 })]).toEqual([false, true]);
});

test('how much of the way is done', () => {
  const journey = { id: 1, from: here, stops: [] };
  const at = { events: 6_000, runNs: 2_500 };
  expect(partDone({ ...journey, target: { events: 9_000 } }, at)).toBe(0.25);
  expect(partDone({ ...journey, target: { runNs: 4_000 } }, at)).toBe(0.25);
  expect(partDone({ ...journey, target: here }, at)).toBe(1);
});
