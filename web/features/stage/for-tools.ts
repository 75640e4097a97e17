// Records the course of a stage: runs its spec on the page's session and its own engine, in Node.
import { numberInWords, ratioInWords, stageNumbersOf } from '../../analysis/stage-numbers';
import { queuePicture, SAMPLES_OF_PICTURE, type QueuePicture } from '../../analysis/client-queue';
import { all_scenarios } from '../../contract/all-scenarios';
import type { StoredCourse } from '../../contract/client-queue';
import type { Machine } from '../../contract/run-spec';
import type { StageStory } from '../../contract/scenario-files/stage';
import { endVirtualEngines } from '../../engine-client/test-fixtures/virtual-engine-in-node';
import { sessionInNode } from '../../session/test-fixtures/session-in-node';
import { courseOf, courseSpec, rounded, storedCourse } from './course';
import { measureNumbers } from './numbers';

/** One picture is stored per this many readings. */
const READINGS_PER_PICTURE = 4;
/** Of a recording, only readings count. Frames would take time from the engine. */
const FRAME_MS = 100;
/** More than the stage shows. */
const NUMBER_DIGITS = 6;
const anyMachine: Machine = { cores: 1, platforms: ['virtual'] };

export interface Recording {
  spec: object;
  course: StoredCourse;
  /** The numbers of the stage, for a reader of the command's output. */
  numbers: string[];
}

/** Runs the course of a scenario to its end. */
export async function recordStage(scenario: string, story: StageStory): Promise<Recording> {
  globalThis.requestAnimationFrame = (callback) => {
    // eslint-disable-next-line no-restricted-syntax -- the frames of a page come by time
    setTimeout(() => {
      callback(performance.now());
    }, FRAME_MS);
    return 0;
  };
  const { manifest } = all_scenarios.find((one) => one.manifest.id === scenario)!;
  // A recording is never rewound, so it needs no checkpoints.
  const session = sessionInNode({ checkpointBytes: 0 });
  const spec = courseSpec(story, manifest, anyMachine);
  const { queues } = session.shownRun;
  queues.follow();
  await session.run(spec);
  const { samples } = queues;
  const pictures = samples.flatMap((_, i): QueuePicture[] => {
    const picture =
      i % READINGS_PER_PICTURE === 0
        ? queuePicture(samples.slice(Math.max(0, i + 1 - SAMPLES_OF_PICTURE), i + 1))
        : null;
    return picture === null ? [] : [picture];
  });
  const { marks } = session.store.getState();
  const seen = storedCourse({ history: session.history, marks, pictures });
  endVirtualEngines();
  const values = measureNumbers(story, courseOf(seen, spec, manifest), manifest);
  const course = { ...seen, numbers: values.map((value) => rounded(value, NUMBER_DIGITS)) };
  const numbers = stageNumbersOf(story.numbers, course.numbers).map((one) =>
    [numberInWords(one), ratioInWords(one), one.title].join(' '),
  );
  return { spec, course, numbers };
}
