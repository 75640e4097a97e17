import { expect, test } from 'vitest';

import { thread_states } from '../contract/gen/telemetry-layout';
import { framesAsTasks } from '../engine-client/test-fixtures/frames-as-tasks';
import { latchWalk } from './latch-walk';
import { allRounds, faultOfLatch } from './test-fixtures/fault-of-latch';
import { walkLanes } from './walk-lanes';

framesAsTasks();

const lanesOf = async (latch: string, options: object = {}) =>
  walkLanes(latchWalk(await faultOfLatch(latch, options)));
const statesOf = ({ segments }: Awaited<ReturnType<typeof lanesOf>>, slot: number) =>
  segments.filter((segment) => segment.slot === slot).map(({ state }) => thread_states[state]);

test('a step is the turn of one thread: the others could go on, sleep, or have ended', async () => {
  const lanes = await lanesOf('wrong/futex-never-wakes', allRounds);
  expect(statesOf(lanes, 0)).toEqual([
    ...['running', 'running', 'running', 'running', 'running'],
    ...['ready', 'ready', 'running', 'absent'],
  ]);
  expect(statesOf(lanes, 1)).toEqual([
    ...['ready', 'ready', 'ready', 'ready', 'ready'],
    ...['running', 'running', 'waiting', 'waiting'],
  ]);
  expect(lanes.segments.at(-1)).toMatchObject({ from_ns: 8, to_ns: lanes.endsAt });
});

test('a hold lasts from the step that got in to the first access of exit; at the fault both have it', async () => {
  const torn = await lanesOf('wrong/ticket-torn');
  expect(torn.holds.map(({ slot, fromNs, toNs }) => [slot, fromNs, toNs])).toEqual([
    [0, 4, null],
    [1, 6, null],
  ]);
  const neverWakes = await lanesOf('wrong/futex-never-wakes', allRounds);
  expect(neverWakes.holds.map(({ fromNs, toNs }) => [fromNs, toNs])).toEqual([
    [1, 2],
    [3, 4],
    [5, 8],
  ]);
});

test('readers that follow each other have the latch together', async () => {
  const { holds } = await lanesOf('starving/rw-readers-first');
  expect(holds.map(({ slot, mode, fromNs, toNs }) => [slot, mode, fromNs, toNs])).toEqual([
    [1, 'S', 1, 4],
    [2, 'S', 3, 6],
    [1, 'S', 5, null],
  ]);
});
