// The exercises of the latch lab that this page was built with. Fetched with the lab: import it where it is needed.
import { exercises, reference_latches } from 'virtual:lab-exercises';

import type { ShownExercise } from './lab-exercise.ts';

export const all_lab_exercises = exercises as readonly ShownExercise[];

/** Sources of the latches that checks compare with, by name. */
export const lab_reference_latches = reference_latches as Readonly<Record<string, string>>;
