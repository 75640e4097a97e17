import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { LaneHistory } from '../recording/lane-history';
import { laneBatchOf } from '../recording/test-fixtures/lane-batch';
import { ColumnTimes, laneRows, laneRuns } from './lanes';

type Segment = [from_ns: number, to_ns: number, slot: number, state: number];

// The engine's clock was at 1,000 ns when the clients started.
const batchOf = (segments: Segment[], first = 0) =>
  laneBatchOf(
    segments.map(([fromNs, toNs, slot, state]) => ({ from_ns: fromNs, to_ns: toNs, slot, state })),
    { first, clock_less_run_ns: 1_000 },
  );

function lanesOf(...segments: Segment[]): LaneHistory {
  const lanes = new LaneHistory();
  lanes.add(batchOf(segments));
  return lanes;
}

const [running, spinning] = [2, 3];
const picture = { nowNs: 100, range: { fromNs: 0, toNs: 100 }, columns: 10, states: 7 };
const threadsIn = (...states: number[]) => states.map((state, slot) => ({ slot, state }));

describe('rows of lanes', () => {
  test.each([
    [0, 200, 0],
    [4, 200, 4],
    [40, 200, 40],
    [1024, 200, 22],
  ])('%d threads on %d px: %d', (threads, heightPx, count) => {
    const rows = laneRows(threads, heightPx);
    expect(rows.count).toBe(count);
    expect(rows.count * rows.heightPx).toBeLessThanOrEqual(heightPx + 1e-9);
  });
});

describe('the runs of a lane', () => {
  test('are the segments, and the present state from the last one on', () => {
    const lanes = lanesOf([0, 30, 0, running], [0, 50, 1, spinning], [30, 60, 0, spinning]);
    expect(laneRuns({ ...picture, lanes, threads: threadsIn(running, running) })).toEqual([
      { row: 0, fromPx: 0, toPx: 3, state: running },
      { row: 0, fromPx: 3, toPx: 6, state: spinning },
      { row: 0, fromPx: 6, toPx: 10, state: running },
      { row: 1, fromPx: 0, toPx: 5, state: spinning },
      { row: 1, fromPx: 5, toPx: 10, state: running },
    ]);
  });

  test('show in each pixel what took most of its time', () => {
    const lanes = lanesOf([0, 23, 0, running], [23, 27, 0, spinning], [27, 32, 0, running]);
    expect(laneRuns({ ...picture, lanes, threads: threadsIn(spinning) })).toEqual([
      { row: 0, fromPx: 0, toPx: 3, state: running },
      { row: 0, fromPx: 3, toPx: 10, state: spinning },
    ]);
  });

  test('of a thread that has not changed its state reach across the whole range', () => {
    expect(laneRuns({ ...picture, lanes: lanesOf(), threads: threadsIn(running) })).toEqual([
      { row: 0, fromPx: 0, toPx: 10, state: running },
    ]);
  });

  test('leave out what is not known: segments that were never told', () => {
    const lanes = lanesOf([0, 10, 0, running]);
    lanes.add(batchOf([[55, 60, 0, spinning]], 100));
    expect(laneRuns({ ...picture, lanes, threads: threadsIn(running) })).toEqual([
      { row: 0, fromPx: 5, toPx: 6, state: spinning },
      { row: 0, fromPx: 6, toPx: 10, state: running },
    ]);
  });
});

test('rows may be any threads, such as those after the first that do not fit', () => {
  const lanes = lanesOf([0, 30, 0, running], [0, 50, 5, spinning]);
  expect(laneRuns({ ...picture, lanes, threads: [{ slot: 5, state: running }] })).toEqual([
    { row: 0, fromPx: 0, toPx: 5, state: spinning },
    { row: 0, fromPx: 5, toPx: 10, state: running },
  ]);
});

test('another run starts with empty lanes', () => {
  const lanes = lanesOf([0, 10, 0, running]);
  lanes.add({ ...batchOf([[0, 5, 0, running]]), runGeneration: 2 });
  expect(lanes.length).toBe(1);
});

test('lanes of a chain are high enough for a name each; the others are scrolled to', () => {
  expect(laneRows(400, 300, { shows_path: true })).toEqual({ count: 12, heightPx: 24 });
  expect(laneRows(3, 300, { shows_path: true })).toEqual({ count: 3, heightPx: 24 });
});

const drawnSegments = fc.array(
  fc.record({
    slot: fc.integer({ min: 0, max: 2 }),
    state: fc.integer({ min: 0, max: 6 }),
    gapNs: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 20_011 })),
    tookNs: fc.oneof(fc.integer({ min: 1, max: 4_001 }), fc.integer({ min: 1, max: 40_009 })),
  }),
  { maxLength: 60 },
);

test('the runs are those of adding up the time of each column, wherever segments begin and end', () => {
  const shown = fc.record({
    columns: fc.integer({ min: 1, max: 13 }),
    range: fc.record({
      fromNs: fc.integer({ min: 0, max: 60_013 }),
      toNs: fc.integer({ min: 60_014, max: 200_017 }),
    }),
  });
  fc.assert(
    fc.property(drawnSegments, shown, (drawn, { columns, range }) => {
      const ends = [0, 0, 0];
      const segments = drawn.map(({ slot, state, gapNs, tookNs }): Segment => {
        const fromNs = ends[slot]! + gapNs;
        ends[slot] = fromNs + tookNs;
        return [fromNs, ends[slot], slot, state];
      });
      const nowNs = Math.max(...ends);
      const threads = threadsIn(running, spinning, running);

      const times = new ColumnTimes({ rows: threads.length, columns, states: 7, range });
      for (const [fromNs, toNs, slot, state] of segments) times.add(slot, state, fromNs, toNs);
      for (const { slot, state } of threads) times.add(slot, state, ends[slot]!, nowNs);
      const lanes = lanesOf(...segments);
      expect(laneRuns({ lanes, threads, nowNs, range, columns, states: 7 })).toEqual(times.runs());
    }),
    { seed: 1, numRuns: 200 },
  );
});
