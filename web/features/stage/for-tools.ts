// Records the course of a stage: runs its spec on the page's session and its own engine, in Node.
import { numberInWords, ratioInWords, stageNumbersOf } from '../../analysis/stage-numbers';
import { all_scenarios } from '../../contract/all-scenarios';
import type { StoredStageCourse } from '../../contract/client-queue';
import type { StageStory } from '../../contract/scenario-files/stage';
import { courseOf, rounded } from '../../session/course';
import { anyMachine, recordRun } from '../../session/test-fixtures/recording-in-node';
import { courseSpec } from './course';
import { measureNumbers } from './numbers';

/** More than the stage shows. */
const NUMBER_DIGITS = 6;

export interface Recording {
  spec: object;
  course: StoredStageCourse;
  /** The numbers of the stage, for a reader of the command's output. */
  numbers: string[];
}

/** Runs the course of a scenario to its end. */
export async function recordStage(scenario: string, story: StageStory): Promise<Recording> {
  const { manifest } = all_scenarios.find((one) => one.manifest.id === scenario)!;
  const spec = courseSpec(story, manifest, anyMachine);
  const seen = await recordRun(spec);
  const values = measureNumbers(story, courseOf(seen, spec, manifest), manifest);
  const course = { ...seen, numbers: values.map((value) => rounded(value, NUMBER_DIGITS)) };
  const numbers = stageNumbersOf(story.numbers, course.numbers).map((one) =>
    [numberInWords(one), ratioInWords(one), one.title].join(' '),
  );
  return { spec, course, numbers };
}
