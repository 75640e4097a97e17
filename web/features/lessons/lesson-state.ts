// Declares the lessons' slice of the page's state.
import type { LessonReadings } from '../../contract/page-readings';
import type { ExplorerState } from '../../session/store';

export interface LessonSlice extends LessonReadings {
  /** The story of the bug, in the place of the lesson. */
  is_story_open: boolean;
}

export type LessonState = ExplorerState & LessonSlice;

export const no_lesson: LessonSlice = { lesson: null, is_story_open: false };
