import type { Feature, ParsedLink } from '../../session/feature';
import type { Parsed } from '../../contract/run-spec';
import { noLesson, type LessonState } from './lesson-state';

/** The lesson's fields of a link. */
export interface LessonLink {
  /** Index of the open step, from 0 (a link counts from 1); null if the lesson is closed. */
  lessonStep: number | null;
}

/** Lessons as a feature of the session. */
export const lessonsFeature: Feature = {
  slice: noLesson,
  sliceAfterLeaving: (_, isOtherScenario) => (isOtherScenario ? noLesson : {}),
  link: {
    names: ['lesson'],
    isBesideTheRun: true,
    isField: (key) => key === 'lesson',
    isOfAnyPlatform: (key) => key === 'lesson',
    parse: parseStep,
    format: (state) => {
      const { lesson } = state as LessonState;
      return lesson === null ? [] : [['lesson', String(lesson.step + 1)]];
    },
    partsOf: (state) => [(state as LessonState).lesson?.step],
  },
};

function parseStep({ pairs, scenario }: ParsedLink): Parsed<LessonLink> {
  const step = new Map(pairs).get('lesson');
  if (step === undefined) return { ok: true, value: { lessonStep: null } };
  const steps = (scenario.lesson?.steps ?? []).map((_, index) => String(index + 1));
  if (steps.includes(step)) return { ok: true, value: { lessonStep: Number(step) - 1 } };
  const allowed = steps.length === 0 ? 'nothing: this bug has no lesson' : `1 to ${steps.length}`;
  return { ok: false, errors: [{ field: 'lesson', value: step, allowed }] };
}
