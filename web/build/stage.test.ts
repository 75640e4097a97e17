// Records the course of a bug again: the stored courses are what the page's session and engine give.
import { stages } from 'virtual:stages';
import { expect, test, vi } from 'vitest';

import { faultsBeyondSchema } from '../../research/evidence/stage.mjs';
import { all_scenarios } from '../contract/all-scenarios';
import type { StageStory } from '../contract/scenario-files/stage';
import { asTask, endVirtualEngines } from '../engine-client/test-fixtures/virtual-engine-in-node';
import { recordStage } from '../features/stage/for-tools';
import { StagePlayer } from '../features/stage/stage-player';
import { sessionInNode } from '../session/test-fixtures/session-in-node';

/** The other bugs take minutes, so only the long tests record them. */
const quick = ['fil-mutex-69276'];
const recorded = all_scenarios
  .map(({ manifest }) => manifest.id)
  .filter((id) => process.env.LATCHSCOPE_LONG === '1' || quick.includes(id));

test.each(recorded)('%s: a new recording equals the stored one', async (id) => {
  const { story, course } = await stages[id]!();
  const again = await recordStage(id, story as StageStory);
  expect(again.course).toEqual(course);
});

test('names and times that do not fit the manifest are named with what is allowed', async () => {
  const { manifest } = all_scenarios.find((one) => one.manifest.id === 'undo-read-117533')!;
  const story = structuredClone((await stages[manifest.id]!()).story) as StageStory;
  story.break.actions = ['update_all'];
  story.course.steps[1]!.at_s = 0.4;
  story.numbers[0]!.after = 7;
  const faults = (faultsBeyondSchema as (manifest: object, story: object) => string[])(manifest, story);
  expect(faults).toEqual([
    expect.stringMatching(/^break\.actions: .*"update_all".*one of update_k, release_views/),
    expect.stringMatching(/^course\.steps\[1\]\.at_s: .*0\.4.*above 0\.5, and below 4\.2/),
    expect.stringMatching(/^after: .*7.*0 to 2: the number of a step/),
  ]);
});

test('a step that the recording has next is taken at its time, although the engine keeps up', async () => {
  // For the stage, no time passes, so only the engine advances.
  const openedAtMs = performance.now();
  vi.stubGlobal('requestAnimationFrame', (callback: FrameRequestCallback) => {
    asTask(() => callback(openedAtMs));
  });
  const session = sessionInNode();
  const player = new StagePlayer(session);
  const leave = player.show();
  await session.openScenario('fil-mutex-69276');
  await player.open('fil-mutex-69276', 0);
  const { steps } = player.loaded!.story.course;
  await new Promise<void>((resolve) => {
    session.history.subscribe(() => {
      if (session.history.endS > player.picture!.playS) resolve();
    });
  });
  player.press('break');
  await expect.poll(() => session.store.getState().marks.length).toBeGreaterThan(0);
  expect(session.store.getState().marks[0]!.step_ns / 1e9).toBe(steps[0]!.at_s);
  leave();
  endVirtualEngines();
  vi.unstubAllGlobals();
});
