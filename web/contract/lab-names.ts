// Lists the names of the lab's latches and exercises in this build. A link may name them before the
// lab's sources and texts are fetched.
import { exercise_names, latch_names, program_to_break as program } from 'virtual:lab-names';

/** Files of lab/latches, without .latch. */
export const all_latch_names = latch_names as readonly string[];

/** Folders of lab/exercises. */
export const all_exercise_names = exercise_names as readonly string[];

/** An exercise that the start page offers, and the program that it begins with. */
export const program_to_break = program as { exercise: string; source: string };
