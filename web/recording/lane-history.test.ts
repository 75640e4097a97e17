import { expect, test } from 'vitest';

import { thread_states } from '../contract/gen/telemetry-layout';
import { LaneHistory } from './lane-history';
import { laneBatchOf } from './test-fixtures/lane-batch';

const running = thread_states.indexOf('running');
const waiting = thread_states.indexOf('waiting');

const lanes = new LaneHistory();
lanes.add(
  laneBatchOf([
    { from_ns: 0, to_ns: 10, slot: 0, state: running },
    { from_ns: 0, to_ns: 20, slot: 7, state: running },
    {
      ...{ from_ns: 10, to_ns: 30, slot: 0, state: waiting },
      ...{ core: 46, site: 7, latch: 1_234, holder: 1_100, holder_site: 191 },
    },
  ]),
);

test('a segment tells who held the latch, up to the last slot and site', () => {
  expect(lanes.at(0, 25)).toEqual({
    from_ns: 10,
    to_ns: 30,
    slot: 0,
    state: waiting,
    core: 46,
    site: 7,
    latch: 1_234,
    holder: 1_100,
    holder_site: 191,
  });
});

test('what a thread did at a moment, and before it', () => {
  expect(lanes.at(0, 5)).toMatchObject({ state: running, core: -1, holder: -1, holder_site: -1, site: -1 });
  expect(lanes.at(7, 20)).toBeNull();
  expect(lanes.at(3, 5)).toBeNull();
  expect(lanes.before(0, 30)).toMatchObject({ from_ns: 10 });
  expect(lanes.before(0, 29)).toMatchObject({ from_ns: 0 });
  expect(lanes.before(0, 9)).toBeNull();
});

test('a stall is told when it begins: what is told after it may end before it', () => {
  const stalled = new LaneHistory();
  stalled.add(
    laneBatchOf([
      { from_ns: 0, to_ns: 400, slot: 0, state: thread_states.indexOf('stalled') },
      { from_ns: 0, to_ns: 100, slot: 1, state: running },
    ]),
  );
  const seen: number[] = [];
  stalled.visitSince(200, ({ slot }) => seen.push(slot));
  expect(seen).toEqual([0]);
  expect(stalled.at(0, 200)).toMatchObject({ to_ns: 400 });
  expect(stalled.at(1, 200)).toBeNull();
});
