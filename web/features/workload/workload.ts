// Loads the editor of workload files when it is first used. Initially the page has only this file
// and the slice of it.
import { use } from 'react';

import { useModel } from '../../widgets/session-context';
import type { WorkloadEditing, WorkloadPorts } from './workload-editing';

export class Workload {
  readonly #ports: WorkloadPorts;
  #loaded: Promise<WorkloadEditing> | null = null;

  constructor(ports: WorkloadPorts) {
    this.#ports = ports;
  }

  load(): Promise<WorkloadEditing> {
    this.#loaded ??= import('./workload-commands').then(({ openWorkloads }) => openWorkloads(this.#ports));
    return this.#loaded;
  }
}

/** Suspends until the editor is loaded. */
export const useWorkload = (): WorkloadEditing => use(useModel('workload').load());
