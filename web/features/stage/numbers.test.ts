// Tests the figures that the stages show, on the recorded courses: every bug must convince.
import { stages } from 'virtual:stages';
import { describe, expect, test } from 'vitest';

import { numberInWords, ratioInWords, stageNumbersOf, withNumbers } from '../../analysis/stage-numbers';
import { all_scenarios } from '../../contract/all-scenarios';
import type { StoredStageCourse } from '../../contract/client-queue';
import type { StageStory } from '../../contract/scenario-files/stage';
import { machine } from '../../contract/test-fixtures';
import { courseOf } from '../../session/course';
import { courseSpec, stepsOf } from './course';
import { measureNumbers } from './numbers';
import { timelineOf } from './stage-player';

async function stageOf(bug: number) {
  const { manifest } = all_scenarios.find((one) => one.manifest.bug === bug)!;
  const loaded = await stages[manifest.id]!();
  const story = loaded.story as StageStory;
  const spec = courseSpec(story, manifest, machine);
  const stored = loaded.course as StoredStageCourse;
  const course = courseOf(stored, spec, manifest);
  const numbers = stageNumbersOf(story.numbers, measureNumbers(story, course, manifest));
  return { story, course, numbers, stored };
}

/** The causes that the pictures of a part of the course show: functions and latches. */
const causesWithin = ({ course }: Awaited<ReturnType<typeof stageOf>>, fromS: number, toS: number) =>
  course.pictures
    .filter(({ tS }) => tS >= fromS && tS <= toS)
    .flatMap(({ cause }) => (cause === null ? [] : (cause.thread?.frames[0] ?? cause.latch)));

describe('the numbers of a stage are those of its bug', () => {
  test('#117533: the UPDATE costs more than a factor of 50, and the fix gives back a factor of 10', async () => {
    const { numbers, story } = await stageOf(117533);
    expect(numbers[1]!.ratio).toBeLessThan(1 / 50);
    expect(numbers[2]!.ratio).toBeGreaterThan(10);
    expect(withNumbers(story.headline, numbers)).toBe('One UPDATE makes every read 79× slower');
  });

  test('#104615: no COMMIT ends for more than five seconds; fixed, a purge costs less than a third', async () => {
    const { numbers } = await stageOf(104615);
    expect(numbers[1]!.value).toBeGreaterThan(5);
    expect(numbers[2]!.value).toBeGreaterThan(numbers[0]!.value * 0.67);
    expect(numberInWords(numbers[1]!)).toMatch(/^\d\.\d\d s$/);
  });

  test('#99638: the wait costs more than a factor of 50, and the fix gives all of it back', async () => {
    const { numbers } = await stageOf(99638);
    expect(numbers[1]!.ratio).toBeLessThan(1 / 50);
    expect(numbers[2]!.value).toBeGreaterThan(numbers[0]!.value * 0.95);
  });

  test('#95491: fixed, the pool is warm at least twice as soon', async () => {
    const { numbers } = await stageOf(95491);
    expect(numbers[2]!.ratio).toBeGreaterThan(2);
    expect(ratioInWords(numbers[2]!)).toMatch(/sooner$/);
  });

  test('#69276: the mutex costs more than a factor of 1.5, and the fix gives it back', async () => {
    const { numbers } = await stageOf(69276);
    expect(numbers[1]!.ratio).toBeLessThan(1 / 1.5);
    expect(numbers[2]!.value).toBeGreaterThan(numbers[0]!.value * 0.95);
  });
});

test.each(all_scenarios.map(({ manifest }) => manifest.bug))(
  '#%i: the stored numbers are those of the recorded rows',
  async (bug) => {
    const { stored, numbers } = await stageOf(bug);
    expect(stored.numbers).toEqual(numbers.map(({ value }) => Number(value.toPrecision(6))));
  },
);

describe('the picture names the cause, not the queue', () => {
  test('#104615: the leader deletes a file', async () => {
    const causes = causesWithin(await stageOf(104615), 2, 7);
    expect(new Set(causes)).toEqual(new Set(['MYSQL_BIN_LOG::purge_index_entry']));
  });

  test('#99638: the leader sleeps in Clone_Sys::wait', async () => {
    const causes = causesWithin(await stageOf(99638), 3, 7);
    expect(causes.filter((cause) => cause === 'Clone_Sys::wait').length).toBeGreaterThan(causes.length * 0.9);
  });

  test('#117533: the clients queue at the latches of the undo read', async () => {
    const causes = causesWithin(await stageOf(117533), 1, 2.5);
    expect(new Set(causes)).toEqual(new Set(['Fil_shard::m_mutex']));
  });
});

test.each(all_scenarios.map(({ manifest }) => manifest.bug))(
  '#%i: each step of the course is one step of the stage, at its time',
  async (bug) => {
    const { story, course } = await stageOf(bug);
    const { manifest } = all_scenarios.find((one) => one.manifest.bug === bug)!;
    const steps = stepsOf(course.marks, story, manifest);
    expect(steps.map(({ step }) => step)).toEqual(story.course.steps.map(({ step }) => step));
    for (const [i, { atS }] of steps.entries()) expect(atS).toBeCloseTo(story.course.steps[i]!.at_s, 2);
  },
);

test.each([
  [117533, false],
  [99638, false],
  [104615, true],
])('#%i: the chart falls to zero only in a real standstill: %s', async (bug, standsStill) => {
  const stage = await stageOf(bug);
  const rates = timelineOf(stage)
    .pointsToCome()
    .map(({ rate }) => rate);
  expect(rates.includes(0)).toBe(standsStill);
});
