// Prepares the chart of a stage: throughput over run time, with its steps.
import { max } from 'd3-array';

import type { StageStory } from '../../contract/scenario-files/stage';
import type { LoadedStage } from './stage-player';
import type { StagePicture } from './stage-picture';
import type { TakenStep } from './timeline';

/** A run that is longer than the course has this much room at the right. */
const ROOM_AFTER = 1.02;

/** Returns the properties of the chart. Its axis covers the numbers and the course, so it does not move. */
export const stageChart = (
  { story, course, numbers }: Pick<LoadedStage, 'story' | 'course' | 'numbers'>,
  { points, toCome, steps, playS }: StagePicture,
) => ({
  unit: story.rate,
  rates: [
    ...numbers.filter(({ figure }) => figure === 'rate').map(({ value }) => value),
    max(course.history.column('transactions_per_s')) ?? 0,
  ],
  marks: steps.map(({ atS }, number) => ({ label: labelOf(number, story, steps), atS })),
  endS: Math.max(story.course.duration_s, playS * ROOM_AFTER),
  points,
  toCome,
});

function labelOf(number: number, { break: broken }: StageStory, steps: readonly TakenStep[]): string {
  const { step } = steps[number]!;
  if (step !== 'break') return step === 'fixed' ? 'Fixed' : 'Original';
  const isAgain = steps.slice(0, number).some((one) => one.step === 'break');
  return (isAgain ? broken.again : undefined) ?? broken.title;
}
