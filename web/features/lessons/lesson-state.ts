// What lessons add to the state of the page.
import type { LessonProgress } from '../../contract/lesson';
import type { ExplorerState } from '../../session/store';

export interface LessonSlice {
  /** null: the lesson is closed. */
  lesson: LessonProgress | null;
  /** The story of the bug, in the same place: the lesson hides it. */
  is_story_open: boolean;
}

export type LessonState = ExplorerState & LessonSlice;

export const no_lesson: LessonSlice = { lesson: null, is_story_open: false };
