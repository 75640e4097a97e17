import { createStore, type StoreApi } from 'zustand/vanilla';

import { labFeature, type LabState } from './lab-state';

/** Creates a store with only the lab's slice. */
export const storeForTest = (): StoreApi<LabState> =>
  createStore<LabState>(() => labFeature.slice as unknown as LabState);
