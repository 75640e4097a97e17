// What the presenter adds to the state of the page.
import type { ExplorerState } from '../../session/store';

/** The page in front of an audience. */
export interface PresenterSlice {
  presenter: {
    is_on: boolean;
    /** How far a slide remote has come where no lesson is open. */
    cues_done: number;
  };
}

export type PresenterState = ExplorerState & PresenterSlice;
