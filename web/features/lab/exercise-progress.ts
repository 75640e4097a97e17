// Computes the path of the lab's exercises: which are solved, and which comes next.
import { all_lab_exercises } from '../../contract/all-lab-exercises';
import type { LabSlice } from './lab-state';

type Progress = Pick<LabSlice['lab'], 'exercise' | 'solved'>;

export interface PathStep {
  id: string;
  number: number;
  title: string;
  isSolved: boolean;
  isOpen: boolean;
}

/** Returns all exercises in their order. */
export const exercisePath = ({ exercise, solved }: Progress): PathStep[] =>
  all_lab_exercises.map(({ id, title }) => ({
    ...{ id, number: Number.parseInt(id, 10), title },
    isSolved: Object.hasOwn(solved, id),
    isOpen: id === exercise,
  }));

/**
 * Returns the first unsolved exercise after the open one, otherwise the first unsolved one before
 * it; null if all others are solved.
 */
export function nextExercise(progress: Progress): PathStep | null {
  const path = exercisePath(progress);
  const open = path.findIndex(({ isOpen }) => isOpen);
  const inTurn = [...path.slice(open + 1), ...path.slice(0, open + 1)];
  return inTurn.find(({ isSolved, isOpen }) => !isSolved && !isOpen) ?? null;
}

/** Says how many exercises are solved, such as “4 of 13 solved”. */
export function progressInWords(progress: Progress): string {
  const path = exercisePath(progress);
  const solved = path.filter(({ isSolved }) => isSolved).length;
  return solved === path.length ? `all ${path.length} solved` : `${solved} of ${path.length} solved`;
}
