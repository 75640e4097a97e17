import type { Feature, ParsedLink } from '../../session/feature';
import type { Parsed } from '../../contract/run-spec';
import { lessonCommands } from './guidance-commands';
import { LessonGuide, type LessonPorts } from './lesson-guide';
import { noLesson, type LessonLink } from './lesson-state';
import type { Session } from '../../session/session';

export { lessonDoCommandId } from './guidance-commands';
export { GuideSide } from './guide-side';

declare module '../../session/feature' {
  interface FeatureModels {
    lesson: LessonGuide;
  }
}

export const lessonsFeature: Feature<{ session: Session; explanations: LessonPorts }> = {
  slice: noLesson,
  sliceAfterLeaving: (_, isOtherScenario) => (isOtherScenario ? noLesson : {}),
  link: {
    names: ['lesson'],
    isBesideTheRun: true,
    isField: (key) => key === 'lesson',
    isOfAnyPlatform: (key) => key === 'lesson',
    parse: parseStep,
    format: ({ lesson }) => (lesson === null ? [] : [['lesson', String(lesson.step + 1)]]),
    partsOf: ({ lesson }) => [lesson?.step],
  },
  open: ({ session, explanations }) => {
    const lesson = new LessonGuide(session, explanations);
    return {
      models: { lesson },
      commands: [lessonCommands(lesson, session)],
      openLink: (link) => lesson.openLink(link),
    };
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
