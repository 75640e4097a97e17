// Lists the names of the lab's latches and exercises in this build. A link may name them before the
// lab's sources and texts are fetched.
import { exercise_names, first_program, latch_names } from 'virtual:lab-names';

/** Files of lab/latches, without .latch. */
export const all_latch_names = latch_names as readonly string[];

/** Folders of lab/exercises. */
export const all_exercise_names = exercise_names as readonly string[];

/** The program with which an exercise of the start page begins, and the exercise. */
export const program_to_break = first_program as { exercise: string; source: string };
