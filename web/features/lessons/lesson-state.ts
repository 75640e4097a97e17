// Declares the lessons' slice of the page's state.
import type { LessonReadings } from '../../contract/page-readings';

export interface LessonSlice extends LessonReadings {
  /** The story of the bug, in the place of the lesson. */
  isStoryOpen: boolean;
}

declare module '../../session/store' {
  interface FeatureSlices extends LessonSlice {}
}

export const noLesson: LessonSlice = { lesson: null, isStoryOpen: false };

/** The lesson's fields of a link. */
export interface LessonLink {
  /** Index of the open step, from 0 (a link counts from 1); null if the lesson is closed. */
  lessonStep: number | null;
}
