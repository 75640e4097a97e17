// Provides the latch-lab exercises of this build. Import it lazily: it is fetched with the lab.
import { exercises, reference_latches } from 'virtual:lab-exercises';

import type { ShownExercise } from './lab-exercise.ts';

export const all_lab_exercises = exercises as readonly ShownExercise[];

/** Sources of the latches that checks compare with, by name. */
export const lab_reference_latches = reference_latches as Readonly<Record<string, string>>;
