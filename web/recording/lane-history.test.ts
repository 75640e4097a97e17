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
  const BATCH = 1 << 16;
  const KEPT = 1 << 18;
  const TOLD = 5 * BATCH + 1_000;
  const THREADS = 3;
  // Thread by thread, 10 ns each. The engine reports a stall of thread 0 before the others'
  // segments that end during it.
  const told = Array.from({ length: TOLD }, (_, number) => ({
    from_ns: 10 * Math.floor(number / THREADS),
    to_ns: 10 * Math.floor(number / THREADS) + (number % THREADS === 0 ? 10 : 7),
    slot: number % THREADS,
    state: running,
  }));
  const long = new LaneHistory();
  for (let first = 0; first < TOLD; first += BATCH)
    long.add(laneBatchOf(told.slice(first, first + BATCH), { first, clock_less_run_ns: first }));

  expect(long.length).toBe(KEPT);
  expect(long.known_from_ns).toBe(told[TOLD - KEPT - 1]!.to_ns);
  const kept = told.slice(-KEPT);
  const end_ns = kept.at(-1)!.to_ns;
  for (let t_ns = long.known_from_ns; t_ns <= end_ns; t_ns += 49_999) {
    const later = kept.filter(({ to_ns }) => to_ns > t_ns);
    let visited = 0;
    long.visitSince(t_ns, () => (visited += 1));
    expect(visited).toBe(later.length);
    for (let slot = 0; slot < THREADS; slot += 1) {
      const own = kept.filter((segment) => segment.slot === slot);
      const now = own.find(({ from_ns, to_ns }) => from_ns <= t_ns && t_ns < to_ns);
      const before = own.findLast(({ to_ns }) => to_ns <= t_ns);
      expect(long.at(slot, t_ns)?.from_ns).toBe(now?.from_ns);
      expect(long.before(slot, t_ns)?.from_ns).toBe(before?.from_ns);
    }
  }

  long.cutFrom(TOLD - 10);
  expect(long.length).toBe(KEPT - 10);
  expect(long.at(told[TOLD - 5]!.slot, told[TOLD - 5]!.from_ns)).toBeNull();
});
