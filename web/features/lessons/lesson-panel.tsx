import {
  createContext,
  useContext,
  useEffect,
  useId,
  useRef,
  type KeyboardEvent,
  type ReactNode,
} from 'react';

import { htmlOfText } from './html-of-text';
import { lessonAnswerCommandId, lessonDoCommandId, lessonLookCommandId } from './guidance-commands';
import {
  tasksOf,
  observationsOf,
  questionOf,
  type Lesson,
  type LessonBlock,
  type LessonTask,
  type LessonObservation,
  type LessonProgress,
  type LessonQuestion,
  type LessonStep,
} from '../../contract/lesson';
import type { LessonState } from './lesson-state';
import { CommandButton } from '../../widgets/command-button';
import { commandFor, pointAt, titleOfPlace } from './lesson-places';
import { scheduleInFrame, unschedule } from '../../charts/frame-scheduler';
import { PhaseTable } from '../../widgets/phase-table';
import { useRunTime } from '../../widgets/run-time';
import { useExplorer, useInTurn, useSession } from '../../widgets/session-context';

/**
 * Elements that a step may show in addition to its text: the picture of the bug, and the walk
 * through the explained transaction.
 */
interface Shown {
  picture: ReactNode;
  walk: ReactNode;
}
const ShownContext = createContext<Shown>({ picture: null, walk: null });

/** Shows the lesson of the shown bug, one step at a time, beside the charts. */
export default function LessonPanel({ picture, walk }: Shown) {
  const lesson = useExplorer((state) => state.scenario.lesson);
  const progress = useExplorer((state: LessonState) => state.lesson);
  if (lesson === null || progress === null) return null;
  return (
    <ShownContext value={{ picture, walk }}>
      <OpenLesson lesson={lesson} progress={progress} />
    </ShownContext>
  );
}

interface LessonProps {
  lesson: Lesson;
  progress: LessonProgress;
}

function OpenLesson({ lesson, progress }: LessonProps) {
  const title_id = useId();
  const step = lesson.steps[progress.step]!;
  const body = useRef<HTMLDivElement>(null);
  const title = useRef<HTMLHeadingElement>(null);
  usePointing(step, progress);
  const onKeyDown = useStepKeys();
  // Focus the title, so that readers continue in the lesson that they have opened.
  useEffect(() => {
    title.current?.focus({ preventScroll: true });
  }, []);
  useEffect(() => {
    body.current?.scrollTo({ top: 0 });
  }, [progress.step]);
  return (
    <section className="panel lesson" aria-labelledby={title_id} onKeyDown={onKeyDown}>
      <header className="lesson-header">
        <h2 id={title_id} ref={title} tabIndex={-1}>
          <span className="visually-hidden">Lesson: </span>
          {lesson.title}
        </h2>
        <CommandButton command="lesson.close" className="button-icon" title="Close lesson">
          <span aria-hidden="true">✕</span>
          <span className="visually-hidden">Close lesson</span>
        </CommandButton>
      </header>
      <Progress lesson={lesson} progress={progress} />
      <div ref={body} className="lesson-body" tabIndex={0} role="region" aria-label={`Step: ${step.title}`}>
        <h3>{step.title}</h3>
        <EarlierPrediction lesson={lesson} progress={progress} />
        <Blocks step={step} progress={progress} />
        {(observationsOf(step).length > 0 || tasksOf(step).length > 0) && <PhaseTable />}
      </div>
      <footer className="lesson-footer">
        <CommandButton command="lesson.previous">Back</CommandButton>
        <CommandButton command="lesson.next" className="button-main">
          Next
        </CommandButton>
      </footer>
    </section>
  );
}

function Progress({ lesson, progress }: LessonProps) {
  return (
    <div className="lesson-progress">
      <p role="status">
        Step {progress.step + 1} of {lesson.steps.length}
        <span className="visually-hidden">: {lesson.steps[progress.step]!.title}</span>
      </p>
      <span className="lesson-bars" aria-hidden="true">
        {lesson.steps.map(({ title }, index) => (
          <span key={title} data-is-reached={index <= progress.step} />
        ))}
      </span>
    </div>
  );
}

/** Outlines the subject of the selected observation while it is selected. */
function usePointing(step: LessonStep, progress: LessonProgress): void {
  const { look } = progress;
  const place = look === null ? placeOfWalk(step) : observationsOf(step)[look]?.place;
  // Another platform has other panels, and an explanation has its own.
  const { explained } = progress;
  const platform = useExplorer((state) => state.draft.platform);
  const session = useSession();
  useEffect(() => {
    if (place === undefined) return;
    const command = commandFor(place);
    if (command === null) return pointAt(place);
    void session.commands.perform(command);
    let endPointing = pointAt(place);
    // By then the command's panel exists and is in its place.
    const pointAgain = () => {
      endPointing();
      endPointing = pointAt(place);
    };
    scheduleInFrame(pointAgain);
    return () => {
      unschedule(pointAgain);
      endPointing();
    };
  }, [session, place, platform, explained]);
}

/** The lanes show the reader's part of the transaction. */
const placeOfWalk = ({ blocks }: LessonStep) =>
  blocks.some(({ kind }) => kind === 'walk') ? ('lanes' as const) : undefined;

/** Within the lesson the arrow keys move between steps, unless they choose an answer. */
function useStepKeys() {
  const session = useSession();
  return (event: KeyboardEvent) => {
    const command = { ArrowRight: 'lesson.next', ArrowLeft: 'lesson.previous' }[event.key];
    const is_choosing = event.target instanceof HTMLInputElement;
    const has_modifier = event.ctrlKey || event.altKey || event.metaKey || event.shiftKey;
    if (command === undefined || is_choosing || has_modifier || event.defaultPrevented) return;
    event.preventDefault();
    const { commands } = session;
    if (commands.isEnabled(command)) void commands.perform(command);
  };
}

function Blocks({ step, progress }: { step: LessonStep; progress: LessonProgress }) {
  const tasks = tasksOf(step);
  const looks = observationsOf(step);
  return step.blocks.map((block, index) => (
    <Block
      key={index}
      block={block}
      task={tasks.findIndex((task) => task === block)}
      look={looks.findIndex((look) => look === block)}
      progress={progress}
    />
  ));
}

interface BlockProps {
  block: LessonBlock;
  /** Index of the block's task or observation in the step. */
  task: number;
  look: number;
  progress: LessonProgress;
}

function Block({ block, task, look, progress }: BlockProps) {
  switch (block.kind) {
    case 'prose':
      return <Html className="lesson-prose" html={block.html} />;
    case 'question':
      return <Question question={block} progress={progress} />;
    case 'do':
      return <Task task={block} index={task} is_done={task < progress.tasks_done} />;
    case 'picture':
    case 'walk':
      return <ShownWithText what={block.kind} html={block.html} />;
    case 'look':
      return <Look look={block} index={look} is_pointed_at={progress.look === look} />;
  }
}

/** The build converts it from Markdown; web/build/lesson.ts allows no HTML in the source. */
function Html({ html, className }: { html: string; className?: string }) {
  return <div className={className} dangerouslySetInnerHTML={{ __html: htmlOfText(html) }} />;
}

/** Shows a picture or a walk, with a text about it. */
function ShownWithText({ what, html }: { what: keyof Shown; html: string }) {
  return (
    <>
      {useContext(ShownContext)[what]}
      <p>
        <InlineHtml html={html} />
      </p>
    </>
  );
}

function InlineHtml({ html }: { html: string }) {
  return <span dangerouslySetInnerHTML={{ __html: htmlOfText(html) }} />;
}

function Question({ question, progress }: { question: LessonQuestion; progress: LessonProgress }) {
  const session = useSession();
  const answer = progress.answers[progress.step];
  const choose = (index: number) => {
    void session.commands.perform(lessonAnswerCommandId(index));
  };
  return (
    <>
      <fieldset className="lesson-question">
        <legend>
          <InlineHtml html={question.html} />
        </legend>
        {question.choices.map(({ html }, index) => (
          <label key={index}>
            <input
              type="radio"
              name="lesson-answer"
              checked={answer === index}
              onChange={() => {
                choose(index);
              }}
            />
            <InlineHtml html={html} />
          </label>
        ))}
      </fieldset>
      <p className="muted" role="status">
        {answer === undefined ? 'Choose what you expect.' : 'Answer stored. The run will show the result.'}
      </p>
    </>
  );
}

/**
 * Compares the reader's prediction with the outcome, in the first step with observations after the
 * question.
 */
function EarlierPrediction({ lesson, progress }: LessonProps) {
  const asked_at = lesson.steps.findLastIndex(
    (step, index) => index < progress.step && questionOf(step) !== null,
  );
  if (asked_at < 0 || !progress.is_shown_by_run) return null;
  const told_at = lesson.steps.findIndex(
    (step, index) => index > asked_at && observationsOf(step).length > 0,
  );
  if (told_at !== progress.step) return null;
  const waits_for_explanation = tasksOf(lesson.steps[told_at]!).some(({ explain }) => explain !== null);
  if (waits_for_explanation && progress.explained !== 'yes') return null;
  const { choices } = questionOf(lesson.steps[asked_at]!)!;
  const answer = progress.answers[asked_at];
  const chosen = answer === undefined ? undefined : choices[answer];
  const right = choices.find(({ is_right }) => is_right)!;
  return (
    <div className="lesson-feedback" data-is-right={chosen?.is_right}>
      {chosen === undefined ? (
        <p>
          Answer: <InlineHtml html={right.html} />
        </p>
      ) : (
        <p>
          <strong>{chosen.is_right ? 'As you expected: ' : 'You expected: '}</strong>
          <InlineHtml html={chosen.html} />
        </p>
      )}
      {chosen?.is_right === false && (
        <p>
          <InlineHtml html={chosen.why_html} /> <strong>What happened: </strong>
          <InlineHtml html={right.html} />
        </p>
      )}
      <p>
        <InlineHtml html={right.why_html} />
      </p>
    </div>
  );
}

function Task({ task, index, is_done }: { task: LessonTask; index: number; is_done: boolean }) {
  return (
    <p className="lesson-task">
      <CommandButton command={lessonDoCommandId(index)} className={is_done ? '' : 'button-main'}>
        {task.title}
      </CommandButton>
      {is_done && (task.explain === null ? <TaskDoneState /> : <ExplainedState />)}
    </p>
  );
}

/** Shows the run time of the run that the task has started or changed. */
function TaskDoneState() {
  const run_state = useExplorer((state) => state.run_state);
  const run_s = useInTurn(({ model, live }) => (model ? model.run_ns / 1e9 : live?.run_s));
  const formatRunTime = useRunTime();
  return (
    <span className="muted">
      {run_state === 'running' && `Running: ${formatRunTime(run_s)}`}
      {run_state === 'paused' && `Paused at ${formatRunTime(run_s)}`}
      {run_state === 'finished' && 'Run finished'}
      {run_state === 'building' && 'Loading data'}
    </span>
  );
}

function ExplainedState() {
  const is_explained = useExplorer((state: LessonState) => state.lesson?.explained === 'yes');
  return <span className="muted">{is_explained ? 'Explained' : 'Explanation running'}</span>;
}

function Look({
  look,
  index,
  is_pointed_at,
}: {
  look: LessonObservation;
  index: number;
  is_pointed_at: boolean;
}) {
  return (
    <div className="lesson-look" data-is-pointed-at={is_pointed_at}>
      <p>
        <InlineHtml html={look.html} />
      </p>
      <CommandButton command={lessonLookCommandId(index)} className="button-preset" pressed={is_pointed_at}>
        Show {titleOfPlace(look.place)}
      </CommandButton>
    </div>
  );
}
