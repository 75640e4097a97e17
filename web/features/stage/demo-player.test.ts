// Tests the demo of the start page, with a recorded course and engines that never compute.
import { beforeEach, expect, test, vi } from 'vitest';

import { all_scenarios } from '../../contract/all-scenarios';
import { machine } from '../../contract/test-fixtures';
import { frames } from '../../charts/frames';
import { Session } from '../../session/session';
import { fakeEngines, sessionForTest } from '../../session/test-fixtures/session-for-test';
import { DemoPlayer } from './demo-player';

const BUG = 'undo-read-117533';
let waiting: FrameRequestCallback[] = [];

beforeEach(() => {
  frames.clear();
  waiting = [];
  vi.stubGlobal('requestAnimationFrame', (callback: FrameRequestCallback) => waiting.push(callback));
  return () => {
    frames.clear();
    vi.unstubAllGlobals();
  };
});

/** Draws frames for this many seconds of the reader. */
function playFor(seconds: number, fromMs: number): number {
  const toMs = fromMs + seconds * 1000;
  for (let nowMs = fromMs; nowMs < toMs; nowMs += 100) {
    for (const callback of waiting.splice(0)) callback(nowMs);
  }
  return toMs;
}

async function shown(playsAtOnce: boolean) {
  const { engines, loaders } = fakeEngines();
  const page = sessionForTest({
    scenarios: all_scenarios,
    machine: { ...machine, platforms: ['virtual'] },
    loaders,
  });
  const player = new DemoPlayer(page, BUG, playsAtOnce);
  const leave = player.show();
  await expect.poll(() => player.picture).not.toBeNull();
  return { page, player, leave, engines };
}

const stepsOf = ({ picture }: DemoPlayer) => picture!.steps.map(({ step, atS }) => [step, atS]);

test('plays the break and the fix by itself, at their recorded times, and begins again', async () => {
  const { player } = await shown(true);
  const { pace, course } = player.loaded!.story;
  const recorded = course.steps.map(({ step, at_s }) => [step, at_s]);
  expect(stepsOf(player)).toEqual([]);
  let nowMs = playFor(course.steps[0]!.at_s / pace + 0.5, performance.now());
  expect(stepsOf(player)).toEqual(recorded.slice(0, 1));
  nowMs = playFor(course.duration_s / pace, nowMs);
  expect(stepsOf(player)).toEqual(recorded);
  expect(player.picture!.playS).toBeCloseTo(course.duration_s, 1);
  playFor(3, nowMs);
  expect(stepsOf(player)).toEqual([]);
});

test('has an engine of its own, which ends with the demo; the page runs nothing', async () => {
  const starts = vi.spyOn(Session.prototype, 'startRun');
  const { page, player, leave, engines } = await shown(true);
  await expect
    .poll(() => {
      playFor(0.1, performance.now());
      return engines[0]?.runState;
    })
    .toBe('running');
  expect(page.store.getState()).toMatchObject({ run_state: 'idle', engine_status: 'not_loaded' });
  expect(player.picture!.recorded).not.toBeNull();
  player.toggle();
  player.toggle();
  expect(starts).toHaveBeenCalledOnce();
  starts.mockRestore();
  leave();
  await expect
    .poll(() => {
      playFor(0.1, performance.now());
      return engines[0]!.isTerminated;
    })
    .toBe(true);
  expect(engines).toHaveLength(1);
});

test('for readers who want no motion, shows the whole course and computes nothing until they play it', async () => {
  const { player, engines } = await shown(false);
  expect(stepsOf(player)).toHaveLength(2);
  expect(waiting).toHaveLength(0);
  expect(engines).toHaveLength(0);
  player.toggle();
  expect(stepsOf(player)).toHaveLength(0);
  expect(waiting).toHaveLength(1);
  player.toggle();
  playFor(1, performance.now());
  expect(player.picture!.playS).toBe(0);
});
