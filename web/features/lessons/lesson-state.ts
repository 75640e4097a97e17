// What lessons add to the state of the page.
import type { LessonProgress } from '../../contract/lesson';
import type { ExplorerState } from '../../session/store';

export interface LessonSlice {
  /** null: the lesson is closed. */
  lesson: LessonProgress | null;
}

export type LessonState = ExplorerState & LessonSlice;

export const no_lesson: LessonSlice = { lesson: null };
