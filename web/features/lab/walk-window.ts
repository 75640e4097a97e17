// Chooses which steps of a walk the lanes show, so that the values of each step fit into its place.
import type { WalkStep } from '../../analysis/latch-walk';

/** Steps from `from` + 1 to `to`. In the lanes, step n lies between n - 1 and n. */
export interface WalkWindow {
  from: number;
  to: number;
}

/** Words are in the wider font of code. */
const [WORD_CHARACTER_REM, CHARACTER_REM] = [0.54, 0.45];
const PADDING_REM = 0.7;
const [WIDTH_MIN_REM, WIDTH_MAX_REM] = [4, 9];

/** Returns the width of a step that fits the longest line of all steps. */
export function stepWidthRem(walk: readonly WalkStep[]): number {
  const linesRem = walk.flatMap(({ values: [word = '', ...others] }) => [
    word.length * WORD_CHARACTER_REM,
    ...others.map(({ length }) => length * CHARACTER_REM),
  ]);
  return Math.min(WIDTH_MAX_REM, Math.max(WIDTH_MIN_REM, Math.max(0, ...linesRem) + PADDING_REM));
}

/**
 * Returns the window with a step if `fit` steps have room. It is stable while the step moves inside
 * it, and moves on by whole windows.
 */
export function walkWindow(steps: number, step: number, fit: number): WalkWindow {
  const size = Math.max(1, Math.min(fit, steps));
  const page = Math.floor(Math.max(0, step - 1) / size);
  const from = Math.max(0, Math.min(page * size, steps - size));
  return { from, to: from + size };
}
