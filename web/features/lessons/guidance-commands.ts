// Defines the commands for the lesson of the shown bug.
import type { Command, CommandSource } from '../../session/command-registry';
import { tasksOf, observationsOf, questionOf, type LessonStep } from '../../contract/lesson';
import { refusalToReplace } from '../../session/run-lock';
import type { Session } from '../../session/session';
import type { LessonGuide } from './lesson-guide';
import type { ExplorerState } from '../../session/store';

export const lessonAnswerCommandId = (choice: number) => `lesson.answer.${choice + 1}`;
export const lessonDoCommandId = (task: number) => `lesson.do.${task + 1}`;
export const lessonLookCommandId = (look: number) => `lesson.look.${look + 1}`;

export const lessonCommands = (guide: LessonGuide, session: Session): CommandSource => ({
  dependsOn: ({ lesson, scenario }) => [lesson?.step, scenario],
  commands: ({ lesson, scenario }) => {
    const step = lesson === null ? undefined : scenario.lesson?.steps[lesson.step];
    return [...openingCommands(guide, session), ...(step === undefined ? [] : stepCommands(guide, step))];
  },
});

const isOpen = ({ lesson }: ExplorerState) => lesson !== null;

const openingCommands = (guide: LessonGuide, session: Session): Command[] => [
  {
    id: 'lesson.open',
    title: 'Open lesson',
    isEnabled: ({ scenario }) => scenario.lesson !== null,
    unlessEnabled: 'this bug has no lesson',
    execute: () => {
      session.openView('explorer');
      guide.openAgain();
    },
  },
  {
    id: 'lesson.next',
    title: 'Lesson: next step',
    isEnabled: ({ lesson, scenario }) =>
      lesson !== null && lesson.step + 1 < (scenario.lesson?.steps.length ?? 0),
    unlessEnabled: 'no lesson is open, or this is the last step',
    execute: () => guide.turn(1),
  },
  {
    id: 'lesson.previous',
    title: 'Lesson: previous step',
    isEnabled: ({ lesson }) => lesson !== null && lesson.step > 0,
    unlessEnabled: 'no lesson is open, or this is the first step',
    execute: () => guide.turn(-1),
  },
  {
    id: 'lesson.close',
    title: 'Close lesson',
    isEnabled: isOpen,
    unlessEnabled: 'no lesson is open',
    execute: () => guide.close(),
  },
  {
    id: 'story.open',
    title: 'Open story',
    isEnabled: ({ scenario }) => scenario.story_html !== '',
    unlessEnabled: 'only bugs have a story',
    execute: () => guide.showStory(true),
  },
  {
    id: 'story.close',
    title: 'Close story',
    isEnabled: ({ isStoryOpen }) => isStoryOpen,
    unlessEnabled: 'no story is open',
    execute: () => guide.showStory(false),
  },
];

/** Returns the commands of the shown step. */
function stepCommands(guide: LessonGuide, step: LessonStep): Command[] {
  return [
    ...(questionOf(step)?.choices ?? []).map((_, index): Command => ({
      id: lessonAnswerCommandId(index),
      title: `Lesson: answer ${index + 1}`,
      isEnabled: isOpen,
      unlessEnabled: 'no lesson is open',
      execute: () => guide.answer(index),
    })),
    ...tasksOf(step).map(({ title, explain }, index): Command => ({
      id: lessonDoCommandId(index),
      title: `Lesson: ${title}`,
      isEnabled: explain === null ? canDo : () => guide.ports.whyNotExplained() === null,
      whyNot: () => (explain === null ? null : guide.ports.whyNotExplained()) ?? 'a command is still running',
      execute: () => guide.do(index),
    })),
    ...observationsOf(step).map((_, index): Command => ({
      id: lessonLookCommandId(index),
      title: `Lesson: show observation ${index + 1}`,
      isEnabled: isOpen,
      unlessEnabled: 'no lesson is open',
      execute: () => guide.toggleLook(index),
    })),
  ];
}

/** False while another command is in progress, or if the page cannot run anything. */
const canDo = (state: ExplorerState) => state.commandsOutstanding === 0 && refusalToReplace(state) === null;
