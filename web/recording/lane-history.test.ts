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

test('of more segments than are kept the newest stay, and are found at every moment', () => {
  const batchSize = 1 << 16;
  const keptCount = 1 << 18;
  const toldCount = 5 * batchSize + 1_000;
  const threadCount = 3;
  // Thread by thread, 10 ns each. The engine reports a stall of thread 0 before the others'
  // segments that end during it.
  const told = Array.from({ length: toldCount }, (_, number) => ({
    from_ns: 10 * Math.floor(number / threadCount),
    to_ns: 10 * Math.floor(number / threadCount) + (number % threadCount === 0 ? 10 : 7),
    slot: number % threadCount,
    state: running,
  }));
  const long = new LaneHistory();
  for (let first = 0; first < toldCount; first += batchSize)
    long.add(laneBatchOf(told.slice(first, first + batchSize), { first, clock_less_run_ns: first }));

  expect(long.length).toBe(keptCount);
  expect(long.knownFromNs).toBe(told[toldCount - keptCount - 1]!.to_ns);
  const kept = told.slice(-keptCount);
  const endNs = kept.at(-1)!.to_ns;
  for (let tNs = long.knownFromNs; tNs <= endNs; tNs += 49_999) {
    const later = kept.filter(({ to_ns }) => to_ns > tNs);
    let visited = 0;
    long.visitSince(tNs, () => (visited += 1));
    expect(visited).toBe(later.length);
    for (let slot = 0; slot < threadCount; slot += 1) {
      const own = kept.filter((segment) => segment.slot === slot);
      const now = own.find(({ from_ns, to_ns }) => from_ns <= tNs && tNs < to_ns);
      const before = own.findLast(({ to_ns }) => to_ns <= tNs);
      expect(long.at(slot, tNs)?.from_ns).toBe(now?.from_ns);
      expect(long.before(slot, tNs)?.from_ns).toBe(before?.from_ns);
    }
  }

  long.cutFrom(toldCount - 10);
  expect(long.length).toBe(keptCount - 10);
  expect(long.at(told[toldCount - 5]!.slot, told[toldCount - 5]!.from_ns)).toBeNull();
});
