// Declares the presenter's part of the page's state.
import type { PresenterReadings } from '../../contract/page-readings';
import type { ExplorerState } from '../../session/store';

export type PresenterState = ExplorerState & PresenterReadings;
