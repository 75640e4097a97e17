// Loads the latch lab when it is first used. Initially the page has only this file of it.
import { use } from 'react';

import { useModel } from '../../widgets/session-context';
import type { LabPorts, LatchLab } from './latch-lab';

export class Lab {
  readonly #ports: LabPorts;
  #loaded: Promise<LatchLab> | null = null;

  constructor(ports: LabPorts) {
    this.#ports = ports;
  }

  load(): Promise<LatchLab> {
    this.#loaded ??= import('./lab-commands').then(({ openLab }) => openLab(this.#ports));
    return this.#loaded;
  }
}

/** Suspends until the lab is loaded. */
export const useLab = (): LatchLab => use(useModel('lab').load());
