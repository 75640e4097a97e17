// Records runs of lessons again: the slides show what the page's session and engine give.
import path from 'node:path';

import { lessonCourses } from 'virtual:lesson-courses';
import { expect, test } from 'vitest';

import { readStored } from '../../research/evidence/stored-results.mjs';
import { all_scenarios } from '../contract/all-scenarios';
import { recordLesson } from '../features/presenter/for-tools';
import { lessonRuns } from '../session/lesson-runs';
import { anyMachine } from '../session/test-fixtures/recording-in-node';

/** The other lessons take minutes, so only the long tests record them. */
const quick = ['fil-mutex-69276'];
const recorded = all_scenarios
  .map(({ manifest }) => manifest.id)
  .filter((id) => process.env.LATCHSCOPE_LONG === '1' || quick.includes(id));

test.each(recorded)('%s: new recordings equal the stored ones', async (id) => {
  const { courses } = await lessonCourses[id]!();
  expect((await recordLesson(id)).courses).toEqual(courses);
});

test.each(all_scenarios.map((scenario) => [scenario.manifest.id, scenario] as const))(
  '%s: every run of the lesson is recorded (else: npm run evidence -- lesson --update)',
  async (id, scenario) => {
    const stored = readStored(path.resolve('scenarios'), 'lesson')[id]!;
    const specs = lessonRuns(scenario, anyMachine).map(({ spec }) => spec);
    const recordings = Object.values(stored.runs) as unknown as { run: { spec: object } }[];
    expect(recordings.map(({ run }) => run.spec)).toEqual(JSON.parse(JSON.stringify(specs)));
    expect((await lessonCourses[id]!()).courses).toHaveLength(specs.length);
  },
);
