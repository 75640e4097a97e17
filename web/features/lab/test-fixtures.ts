import { createStore } from 'zustand/vanilla';

import { labFeature } from './index';
import type { ExplorerState, ExplorerStore } from '../../session/store';

/** Creates a store with only the lab's slice. */
export const storeForTest = (): ExplorerStore =>
  createStore<ExplorerState>(() => labFeature.slice as ExplorerState);
