// Combines the run, as far as it is computed, with the recording: what the stage shows at a moment.
import { queuePicture, SAMPLES_OF_PICTURE, type QueuePicture } from '../../analysis/client-queue';
import type { ClientQueue } from '../../contract/client-queue';
import type { StageStory } from '../../contract/scenario-files/stage';
import type { Session } from '../../session/session';
import type { RatePoint } from '../../widgets/rate-chart';
import type { StageTimeline, TakenStep } from './timeline';

/** What the stage shows now. */
export interface StagePicture {
  playS: number;
  points: readonly RatePoint[];
  toCome: readonly RatePoint[];
  steps: readonly TakenStep[];
  queue: QueuePicture | null;
  /** Number of steps as the course counts them: which note and number apply. */
  phase: number;
  isFixed: boolean;
  /** Whether the picture shows the recording, and how far the engine is, from 0 to 1. */
  recorded: { part: number } | null;
}

/** The run that the engine computes for a stage. */
type RunOfStage = Pick<Session, 'history' | 'shownRun'>;

export function stagePicture(timeline: StageTimeline, story: StageStory, run: RunOfStage): StagePicture {
  const { history, shownRun } = run;
  const { playS, taken } = timeline;
  const isLiveNow = history.endS >= playS && history.length > 0;
  const live = isLiveNow ? liveQueue(shownRun.queues.samples, playS) : null;
  return {
    playS,
    points: timeline.points(history),
    toCome: timeline.pointsToCome(),
    steps: taken.slice(),
    queue: live ?? timeline.recordedPicture(),
    phase: phaseOf(timeline, story),
    isFixed: timeline.condition.isFixed,
    recorded: isLiveNow ? null : { part: playS === 0 ? 0 : history.endS / playS },
  };
}

function liveQueue(samples: readonly ClientQueue[], playS: number): QueuePicture | null {
  let end = samples.length;
  while (end > 0 && samples[end - 1]!.t_s > playS) end -= 1;
  return queuePicture(samples.slice(Math.max(0, end - SAMPLES_OF_PICTURE), end));
}

/** Returns the step of the course whose condition is the present one. */
function phaseOf({ taken, isAsRecorded, condition }: StageTimeline, { course }: StageStory): number {
  if (isAsRecorded) return taken.length;
  if (!condition.isFixed) return taken.length > 0 ? 1 : 0;
  return condition.breaks > 1 ? course.steps.length : 2;
}
