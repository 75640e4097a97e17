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
import { CommandButton, IconButton } from '../../widgets/command-button';
import { bringThroughputIntoView, commandFor, pointAt } from './lesson-places';
import { SheetHandle, useSheet } from './sheet';
import { frames } from '../../charts/frames';
import { lessonPlaceTitles } from '../../widgets/lesson-place-titles';
import { Table } from '../../widgets/table';
import { usePhases } from '../../widgets/use-phases';
import { formatShare, formatWhole } from '../../analysis/format';
import { useRunTime } from '../../widgets/run-time';
import { useExplorer, useInFrame, usePerform, useSession } from '../../widgets/session-context';
import { useIsPhone } from '../../widgets/use-is-phone';

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
  const progress = useExplorer((state) => state.lesson);
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
  const titleId = useId();
  const step = lesson.steps[progress.step]!;
  const body = useRef<HTMLDivElement>(null);
  const title = useRef<HTMLHeadingElement>(null);
  const sheet = useSheet();
  const isPhone = useIsPhone();
  usePointing(step, progress);
  useThroughputInView(progress.is_doing);
  const onKeyDown = useStepKeys();
  // Focus the title, so that readers continue in the lesson that they have opened.
  useEffect(() => {
    title.current?.focus({ preventScroll: true });
  }, []);
  useEffect(() => {
    body.current?.scrollTo({ top: 0 });
  }, [progress.step]);
  return (
    <section
      className="panel lesson"
      aria-labelledby={titleId}
      data-is-lowered={sheet.isLowered}
      onKeyDown={onKeyDown}
    >
      <header className="lesson-header" {...sheet.swipe}>
        <h2 id={titleId} ref={title} tabIndex={-1} className={isPhone ? 'visually-hidden' : ''}>
          <span className="visually-hidden">Lesson: </span>
          {lesson.title}
        </h2>
        <Progress lesson={lesson} progress={progress} />
        <SheetHandle sheet={sheet} of="lesson" />
        <IconButton command="lesson.close" sign="✕" label="Close lesson" />
      </header>
      <div ref={body} className="lesson-body" tabIndex={0} role="region" aria-label={`Step: ${step.title}`}>
        <h3 className={isPhone ? 'visually-hidden' : ''}>{step.title}</h3>
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
  const isPhone = useIsPhone();
  return (
    <div className="lesson-progress">
      <p role="status">
        Step {progress.step + 1} of {lesson.steps.length}
        <span className={isPhone ? '' : 'visually-hidden'}>: {lesson.steps[progress.step]!.title}</span>
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
    frames.schedule('draw', pointAgain);
    return () => {
      frames.cancel(pointAgain);
      endPointing();
    };
  }, [session, place, platform, explained]);
}

/** On a phone, a task brings the chart back above the sheet, so that its run can be watched. */
function useThroughputInView(isDoing: boolean): void {
  const isPhone = useIsPhone();
  useEffect(() => {
    if (isPhone && isDoing) bringThroughputIntoView();
  }, [isPhone, isDoing]);
}

/** The lanes show the reader's part of the transaction. */
const placeOfWalk = ({ blocks }: LessonStep) =>
  blocks.some(({ kind }) => kind === 'walk') ? ('lanes' as const) : undefined;

/** Within the lesson the arrow keys move between steps, unless they choose an answer. */
function useStepKeys() {
  const session = useSession();
  return (event: KeyboardEvent) => {
    const command = { ArrowRight: 'lesson.next', ArrowLeft: 'lesson.previous' }[event.key];
    const isChoosing = event.target instanceof HTMLInputElement;
    const hasModifier = event.ctrlKey || event.altKey || event.metaKey || event.shiftKey;
    if (command === undefined || isChoosing || hasModifier || event.defaultPrevented) return;
    event.preventDefault();
    const { commands } = session;
    if (commands.isEnabled(command)) void commands.perform(command);
  };
}

function Blocks({ step, progress }: { step: LessonStep; progress: LessonProgress }) {
  const tasks = tasksOf(step);
  const looks = observationsOf(step);
  const isPhone = useIsPhone();
  return (isPhone ? questionFirst(step.blocks) : step.blocks).map((block) => (
    <Block
      key={step.blocks.indexOf(block)}
      block={block}
      task={tasks.findIndex((task) => task === block)}
      look={looks.findIndex((look) => look === block)}
      progress={progress}
    />
  ));
}

/** A sheet shows few lines: the question, and what it is about on scrolling. */
const questionFirst = (blocks: readonly LessonBlock[]) =>
  blocks.toSorted((a, b) => Number(b.kind === 'question') - Number(a.kind === 'question'));

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
      return <Task task={block} index={task} isDone={task < progress.tasks_done} />;
    case 'picture':
    case 'walk':
      return <ShownWithText what={block.kind} html={block.html} />;
    case 'look':
      return <Look look={block} index={look} isPointedAt={progress.look === look} />;
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
  const perform = usePerform();
  const answer = progress.answers[progress.step];
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
              onChange={() => perform(lessonAnswerCommandId(index))}
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
  const askedAt = lesson.steps.findLastIndex(
    (step, index) => index < progress.step && questionOf(step) !== null,
  );
  if (askedAt < 0 || !progress.is_shown_by_run) return null;
  const toldAt = lesson.steps.findIndex((step, index) => index > askedAt && observationsOf(step).length > 0);
  if (toldAt !== progress.step) return null;
  const waitsForExplanation = tasksOf(lesson.steps[toldAt]!).some(({ explain }) => explain !== null);
  if (waitsForExplanation && progress.explained !== 'yes') return null;
  const { choices } = questionOf(lesson.steps[askedAt]!)!;
  const answer = progress.answers[askedAt];
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

function Task({ task, index, isDone }: { task: LessonTask; index: number; isDone: boolean }) {
  return (
    <p className="row lesson-task">
      <CommandButton command={lessonDoCommandId(index)} className={isDone ? '' : 'button-main'}>
        {task.title}
      </CommandButton>
      {isDone && (task.explain === null ? <TaskDoneState /> : <ExplainedState />)}
    </p>
  );
}

/** Shows the run time of the run that the task has started or changed. */
function TaskDoneState() {
  const runState = useExplorer((state) => state.run_state);
  const runS = useInFrame(({ model, live }) => (model ? model.run_ns / 1e9 : live?.run_s));
  const formatRunTime = useRunTime();
  return (
    <span className="muted">
      {runState === 'running' && `Running: ${formatRunTime(runS)}`}
      {runState === 'paused' && `Paused at ${formatRunTime(runS)}`}
      {runState === 'finished' && 'Run finished'}
      {runState === 'building' && 'Loading data'}
    </span>
  );
}

function ExplainedState() {
  const isExplained = useExplorer((state) => state.lesson?.explained === 'yes');
  return <span className="muted">{isExplained ? 'Explained' : 'Explanation running'}</span>;
}

function Look({
  look,
  index,
  isPointedAt,
}: {
  look: LessonObservation;
  index: number;
  isPointedAt: boolean;
}) {
  return (
    <div className="lesson-look" data-is-pointed-at={isPointedAt}>
      <p>
        <InlineHtml html={look.html} />
      </p>
      <CommandButton command={lessonLookCommandId(index)} className="button-preset" pressed={isPointedAt}>
        Show {lessonPlaceTitles[look.place]}
      </CommandButton>
    </div>
  );
}

/** Shows the run's measurements so far, phase by phase. */
function PhaseTable() {
  const phases = usePhases().filter(({ tps }) => tps !== null);
  const [first] = phases;
  if (first === undefined) return null;
  return (
    <Table
      className="phases"
      caption="Measured in this run"
      rows={phases}
      columns={[
        ['phase', ({ label }) => label],
        ['TPS', ({ tps }) => formatWhole(tps)],
        ['of first phase', ({ tps }) => formatShare(tps! / first.tps!)],
      ]}
    />
  );
}
