// What the presenter adds to the state of the page.
import type { PresenterReadings } from '../../contract/page-readings';
import type { ExplorerState } from '../../session/store';

export type PresenterState = ExplorerState & PresenterReadings;
