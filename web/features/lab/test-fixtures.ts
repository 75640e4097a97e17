import { createStore, type StoreApi } from 'zustand/vanilla';

import { lab_feature, type LabState } from './lab-state';

/** Creates a store with only the lab's slice. */
export const storeForTest = (): StoreApi<LabState> =>
  createStore<LabState>(() => lab_feature.slice as unknown as LabState);
