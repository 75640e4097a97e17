// What leads through the page, as commands: the lesson of the bug that is shown, and the presenter.
import type { Command } from '../../session/commands';
import { deedsOf, looksOf, questionOf, type LessonStep } from '../../contract/lesson';
import { refusalToReplace } from '../../session/run-turn';
import type { ExplorerState } from '../../session/store';

export const lessonAnswerCommandId = (choice: number) => `lesson.answer.${choice + 1}`;
export const lessonDoCommandId = (deed: number) => `lesson.do.${deed + 1}`;
export const lessonLookCommandId = (look: number) => `lesson.look.${look + 1}`;

export function guidanceCommands(state: ExplorerState): Command[] {
  const { lesson, scenario } = state;
  const step = lesson === null ? undefined : scenario.lesson?.steps[lesson.step];
  return [...lesson_commands, ...(step === undefined ? [] : stepCommands(step)), ...presenter_commands];
}

const isOpen = ({ lesson }: ExplorerState) => lesson !== null;

const lesson_commands: Command[] = [
  {
    id: 'lesson.open',
    title: 'Open the lesson',
    isEnabled: ({ scenario }) => scenario.lesson !== null,
    unless_enabled: 'this bug has no lesson',
    execute: (session) => {
      session.openView('explorer');
      session.lesson.open(session.store.getState().lesson?.step);
    },
  },
  {
    id: 'lesson.next',
    title: 'Lesson: next step',
    isEnabled: ({ lesson, scenario }) =>
      lesson !== null && lesson.step + 1 < (scenario.lesson?.steps.length ?? 0),
    unless_enabled: 'no lesson is open, or this is its last step',
    execute: (session) => {
      session.lesson.turn(1);
    },
  },
  {
    id: 'lesson.previous',
    title: 'Lesson: previous step',
    isEnabled: ({ lesson }) => lesson !== null && lesson.step > 0,
    unless_enabled: 'no lesson is open, or this is its first step',
    execute: (session) => {
      session.lesson.turn(-1);
    },
  },
  {
    id: 'lesson.close',
    title: 'Close the lesson',
    isEnabled: isOpen,
    unless_enabled: 'no lesson is open',
    execute: (session) => {
      session.lesson.close();
    },
  },
];

/** What can be done in the step that is shown. */
function stepCommands(step: LessonStep): Command[] {
  return [
    ...(questionOf(step)?.choices ?? []).map((_, index): Command => ({
      id: lessonAnswerCommandId(index),
      title: `Lesson: answer ${index + 1}`,
      isEnabled: isOpen,
      unless_enabled: 'no lesson is open',
      execute: (session) => {
        session.lesson.answer(index);
      },
    })),
    ...deedsOf(step).map(({ title }, index): Command => ({
      id: lessonDoCommandId(index),
      title: `Lesson: ${title}`,
      isEnabled: canDo,
      unless_enabled: 'a command is under way',
      execute: (session) => session.lesson.do(index),
    })),
    ...looksOf(step).map((_, index): Command => ({
      id: lessonLookCommandId(index),
      title: `Lesson: show observation ${index + 1}`,
      isEnabled: isOpen,
      unless_enabled: 'no lesson is open',
      execute: (session) => {
        const { lesson } = session.store.getState();
        session.lesson.look(lesson?.look === index ? null : index);
      },
    })),
  ];
}

/** Not while another command is under way, or where the page cannot run anything. */
const canDo = (state: ExplorerState) => state.commands_outstanding === 0 && refusalToReplace(state) === null;

const presenter_commands: Command[] = [
  {
    id: 'presenter.toggle',
    title: 'Presenter: large type, charts and lesson only',
    isEnabled: () => true,
    execute: (session) => {
      const { view, presenter } = session.store.getState();
      if (view === 'front') session.openView('explorer');
      session.presenter.turn(!presenter.is_on);
    },
  },
  {
    id: 'presenter.next',
    title: 'Presenter: next',
    isEnabled: ({ presenter }) => presenter.is_on,
    unless_enabled: 'the presenter is off',
    execute: (session) => session.presenter.next(),
  },
  {
    id: 'presenter.previous',
    title: 'Presenter: previous',
    isEnabled: ({ presenter }) => presenter.is_on,
    unless_enabled: 'the presenter is off',
    execute: (session) => {
      session.presenter.previous();
    },
  },
  {
    id: 'presenter.fullscreen',
    title: 'Full screen',
    isEnabled: ({ presenter }) => presenter.is_on,
    unless_enabled: 'the presenter is off',
    execute: async (session) => {
      const is_full = document.fullscreenElement !== null;
      const change = is_full ? document.exitFullscreen() : document.documentElement.requestFullscreen();
      // A browser may refuse, in a frame of another page for instance.
      await change.catch(() => {
        session.store.setState({ announcement: 'This browser keeps the page in its window' });
      });
    },
  },
];
