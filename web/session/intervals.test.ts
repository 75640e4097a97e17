import { expect, test } from 'vitest';

import { undo_result } from '../contract/run-result-fixtures';
import { TelemetryBlock } from '../engine-client/test-fixtures/telemetry-block';
import { TelemetryReader } from '../engine-client/telemetry-reader';
import { layout } from '../contract/gen/telemetry-layout';
import { extendIntervals, INTERVALS_KEPT, intervalsOf, type Interval } from './intervals';

const [, interval] = undo_result.intervals;

test('while a run goes on they are those that the engine publishes', () => {
  const block = new TelemetryBlock();
  const reader = new TelemetryReader(block.place());
  block.addInterval({ ...interval, t_s: 1 });
  block.addInterval({ ...interval, t_s: 2 });
  const first = reader.intervalsFrom(0);
  let intervals = extendIntervals([], first);
  expect(intervals).toEqual([
    { ...interval, t_s: 1 },
    { ...interval, t_s: 2 },
  ]);
  expect(extendIntervals(intervals, reader.intervalsFrom(first.next))).toBe(intervals);
  block.addInterval({ ...interval, t_s: 3 });
  intervals = extendIntervals(intervals, reader.intervalsFrom(first.next));
  expect(intervals.map(({ t_s }) => t_s)).toEqual([1, 2, 3]);
});

test('of those that nobody has read in time the newest are left', () => {
  const block = new TelemetryBlock();
  for (let tS = 1; tS <= layout.intervals.count + 2; tS += 1) block.addInterval({ t_s: tS });
  const { lines, missed } = new TelemetryReader(block.place()).intervalsFrom(0);
  expect(missed).toBe(2);
  expect((JSON.parse(lines[0]!) as Interval).t_s).toBe(3);
});

test('of a long run the oldest are dropped', () => {
  const lines = Array.from({ length: INTERVALS_KEPT + 5 }, (_, tS) => JSON.stringify({ t_s: tS }));
  const kept = extendIntervals([], { lines, missed: 0, next: lines.length });
  expect(kept).toHaveLength(INTERVALS_KEPT);
  expect(kept[0]!.t_s).toBe(5);
});

test('an older file does not tell how long they were, which follows from where they end', () => {
  expect(intervalsOf(undo_result).map(({ seconds }) => seconds)).toEqual([0.005, 0.005]);
});
