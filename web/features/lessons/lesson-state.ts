// Declares the lessons' slice of the page's state.
import type { LessonReadings } from '../../contract/page-readings';
import type { ExplorerState } from '../../session/store';

export interface LessonSlice extends LessonReadings {
  /** The story of the bug, in the place of the lesson. */
  isStoryOpen: boolean;
}

export type LessonState = ExplorerState & LessonSlice;

export const noLesson: LessonSlice = { lesson: null, isStoryOpen: false };
