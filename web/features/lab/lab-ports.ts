import type { StoreApi } from 'zustand/vanilla';

import type { RunSpec } from '../../contract/run-spec';
import type { BesideEngine } from '../../session/beside-engine';
import type { CommandSource } from '../../session/command-registry';
import type { LabState } from './lab-state';

/** What the lab needs of the page. */
export interface LabPorts {
  store: StoreApi<LabState>;
  /** An engine that has carried out nothing yet. */
  engine: () => BesideEngine;
  show: () => void;
  /** Shows a run in the explorer and starts it; one that goes on is stopped first. */
  start: (spec: RunSpec) => Promise<void>;
  /** What this device remembers of the lab; null: nothing, or it must not. */
  remembered: () => string | null;
  remember: (text: string) => void;
  save: (name: string, content: Blob) => void;
  /** From then on the page has these commands. */
  register: (commands: CommandSource<LabState>) => void;
}
