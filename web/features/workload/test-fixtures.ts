import { createStore } from 'zustand/vanilla';

import type { ExplorerState, ExplorerStore } from '../../session/store';
import { workloadFeature } from './index';
import { WorkloadEditing, type WorkloadPorts } from './workload-editing';

/** Creates a store with only the slice of workload files. */
const storeForTest = (): ExplorerStore =>
  createStore<ExplorerState>(() => workloadFeature.slice as ExplorerState);

/** What the page stored, saved and showed, in that order. */
export interface Told {
  stored: string[];
  saved: { name: string; text: Promise<string> }[];
  shown: number;
}

export function editingForTest(ports: Partial<WorkloadPorts> = {}) {
  const told: Told = { stored: [], saved: [], shown: 0 };
  const editing = new WorkloadEditing({
    store: storeForTest(),
    show: () => (told.shown += 1),
    start: () => Promise.resolve(),
    remember: (text) => told.stored.push(text),
    save: (name, content) => told.saved.push({ name, text: content.text() }),
    pick: () => Promise.resolve(null),
    register: () => () => undefined,
    ...ports,
  });
  return { editing, told };
}

export const SMALL_WORKLOAD = `workload "Two words";
latch m : innodb_mutex;
thread client[4] { transaction { hold m { work(1us); } } }
`;
