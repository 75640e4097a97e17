import { useEffect, useId, useRef, useState, type RefObject } from 'react';

import { wantedBy } from '../../analysis/lab-exercise-words';
import type { Judgement } from '../../contract/lab-results';
import type { ShownExercise } from '../../contract/lab-exercise';
import { CommandButton } from '../../widgets/command-button';
import { Panel } from '../../widgets/panel';
import { useExplorer } from '../../widgets/session-context';
import { nextExercise, progressInWords } from './exercise-progress';
import { useLab } from './lab';
import { exerciseNamed, sourceShown } from './lab-work';
import type { ExplorerState } from '../../session/store';

/** Shows the open exercise: its task, hints one after another, and a model answer on request. */
export function ExercisePanel() {
  const id = useExplorer((state) => state.lab.exercise);
  const arrivals = useExplorer((state) => state.lab.arrivals);
  const heading = useRef<HTMLHeadingElement>(null);
  const focused = useRef(arrivals);
  useEffect(() => {
    if (focused.current !== arrivals) heading.current?.focus();
    focused.current = arrivals;
  }, [arrivals]);
  const exercise = exerciseNamed(id);
  // The key resets opened hints for another exercise.
  return exercise === undefined ? null : <Exercise key={exercise.id} exercise={exercise} heading={heading} />;
}

interface ExerciseProps {
  exercise: ShownExercise;
  heading: RefObject<HTMLHeadingElement | null>;
}

function Exercise({ exercise, heading }: ExerciseProps) {
  const judged = useExplorer((state) => state.lab.judgement);
  const isCurrent = useExplorer(({ lab }: ExplorerState) => lab.judgement?.source === sourceShown(lab));
  const isSolved = useExplorer(({ lab }: ExplorerState) => lab.solved[exercise.id] !== undefined);
  const judgement = isCurrent ? judged!.judgement : null;
  return (
    <Panel
      title={`Exercise ${Number.parseInt(exercise.id, 10)}: ${exercise.title}`}
      remark={isSolved ? 'solved' : undefined}
      className="lab-exercise"
      heading={heading}
    >
      <Prose html={exercise.task_html} />
      <h3>Requirements</h3>
      <Checks exercise={exercise} judgement={judgement} />
      <div className="row lab-buttons">
        <CommandButton command="lab.judge" className="button-main">
          Check solution
        </CommandButton>
      </div>
      <Outcome judgement={judgement} isSolved={isSolved} heading={heading} />
      <Hints exercise={exercise} />
      <Answer exercise={exercise} isSolved={isSolved} />
    </Panel>
  );
}

interface OutcomeProps extends Pick<ExerciseProps, 'heading'> {
  judgement: Judgement | null;
  isSolved: boolean;
}

/**
 * Says whether the source solves the exercise, and leads to the next one. After a solution its
 * button takes the focus, unless the reader is elsewhere, such as in the editor.
 */
function Outcome({ judgement, isSolved, heading }: OutcomeProps) {
  const lab = useLab();
  const exercise = useExplorer((state) => state.lab.exercise);
  const solved = useExplorer((state) => state.lab.solved);
  const next = nextExercise({ exercise, solved });
  const state = useId();
  const button = useRef<HTMLButtonElement>(null);
  const seen = useRef(judgement);
  const isRight = judgement?.holds === true && isSolved;
  useEffect(() => {
    const isNews = isRight && seen.current !== judgement;
    if (isRight) seen.current = judgement;
    const panel = heading.current?.closest('section');
    const { activeElement } = document;
    const isHere = activeElement === document.body || panel?.contains(activeElement) === true;
    if (isNews && isHere) button.current?.focus();
  }, [isRight, judgement, heading]);
  return (
    <>
      <p id={state} role="status" aria-label="Solution state" className="lab-solved">
        {judgement !== null && !judgement.holds && 'Not solved yet.'}
        {isRight && `Solved. Exercises: ${progressInWords({ exercise, solved })}.`}
      </p>
      {isSolved && next !== null && (
        <div className="row lab-buttons">
          <button
            type="button"
            ref={button}
            className="button button-main"
            aria-describedby={state}
            onClick={() => lab.goToNextExercise()}
          >
            Next exercise
          </button>
          <span>
            {next.number}. {next.title}
          </span>
        </div>
      )}
    </>
  );
}

const Prose = ({ html }: { html: string }) => (
  <div className="lab-prose" dangerouslySetInnerHTML={{ __html: html }} />
);

/** Lists the requirement of each check and, after judging, its finding. */
function Checks({ exercise, judgement }: { exercise: ShownExercise; judgement: Judgement | null }) {
  return (
    <ul className="lab-wanted">
      {exercise.checks.map((check, i) => {
        const found = judgement?.checks[i];
        return (
          <li key={wantedBy(check)} data-holds={found === undefined ? undefined : String(found.holds)}>
            {found === undefined ? (
              sentence(wantedBy(check))
            ) : (
              <>
                <strong>{found.holds ? 'Met:' : 'Not met:'}</strong> {found.sentence}
              </>
            )}
          </li>
        );
      })}
    </ul>
  );
}

const sentence = (words: string) => `${words[0]!.toUpperCase()}${words.slice(1)}.`;

function Hints({ exercise: { hints_html } }: { exercise: ShownExercise }) {
  const [opened, setOpened] = useState(0);
  return (
    <>
      {hints_html.slice(0, opened).map((html) => (
        <Prose key={html} html={html} />
      ))}
      {opened < hints_html.length && (
        <div className="row lab-buttons">
          <button type="button" className="button" onClick={() => setOpened(opened + 1)}>
            Hint {opened + 1} of {hints_html.length}
          </button>
        </div>
      )}
    </>
  );
}

function Answer({ exercise, isSolved }: { exercise: ShownExercise; isSolved: boolean }) {
  return (
    <>
      <details>
        <summary>Model answer</summary>
        <pre className="lab-model">
          <code>{exercise.model}</code>
        </pre>
        <CommandButton command="lab.model">Load into editor</CommandButton>
        {!isSolved && <Prose html={exercise.afterwards_html} />}
      </details>
      {isSolved && <Prose html={exercise.afterwards_html} />}
    </>
  );
}
