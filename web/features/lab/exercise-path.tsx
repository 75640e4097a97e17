import { useRef, type KeyboardEvent } from 'react';

import { Panel } from '../../widgets/panel';
import { useExplorer } from '../../widgets/session-context';
import { exercisePath, nextExercise, progressInWords } from './exercise-progress';
import { useLab } from './lab';

/**
 * Shows the exercises as a numbered path with the reader's progress. The path is one tab stop:
 * arrow keys, Home and End move along it.
 */
export function ExercisePath() {
  const lab = useLab();
  const exercise = useExplorer((state) => state.lab.exercise);
  const solved = useExplorer((state) => state.lab.solved);
  const list = useRef<HTMLOListElement>(null);
  const path = exercisePath({ exercise, solved });
  const next = nextExercise({ exercise, solved });
  const tabStop = (path.find(({ isOpen }) => isOpen) ?? next ?? path[0])?.id;
  const onKeyDown = (event: KeyboardEvent) => {
    const steps = [...list.current!.querySelectorAll('button')];
    const at = steps.indexOf(document.activeElement as HTMLButtonElement);
    const moves: Partial<Record<string, number>> = {
      ...{ ArrowLeft: at - 1, ArrowUp: at - 1, ArrowRight: at + 1, ArrowDown: at + 1 },
      ...{ Home: 0, End: steps.length - 1 },
    };
    const to = moves[event.key];
    if (to === undefined) return;
    event.preventDefault();
    steps[Math.max(0, Math.min(to, steps.length - 1))]?.focus();
  };
  return (
    <Panel title="Exercises" remark={progressInWords({ exercise, solved })} className="lab-path">
      <ol ref={list} aria-label="Path" onKeyDown={onKeyDown}>
        {path.map(({ id, number, title, isSolved, isOpen }) => (
          <li key={id} data-solved={isSolved}>
            <button
              type="button"
              tabIndex={id === tabStop ? 0 : -1}
              aria-current={isOpen ? 'step' : undefined}
              data-next={id === next?.id}
              title={title}
              onClick={() => lab.goToExercise(id)}
            >
              <span className="lab-path-number">{number}</span>
              <span className="lab-path-title">{title}</span>
              {isSolved && <span className="visually-hidden">, solved</span>}
            </button>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
