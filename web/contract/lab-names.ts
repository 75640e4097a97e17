// What the latches and exercises of the lab that this page was built with are called. A link names them before the lab, which has
// their sources and texts, is fetched.
import { exercise_names, latch_names } from 'virtual:lab-names';

/** Files of lab/latches, without .latch. */
export const all_latch_names = latch_names as readonly string[];

/** Folders of lab/exercises. */
export const all_exercise_names = exercise_names as readonly string[];
