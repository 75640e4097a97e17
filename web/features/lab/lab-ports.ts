import type { RunSpec } from '../../contract/run-spec';
import type { ExtraEngine } from '../../session/extra-engine';
import type { CommandSource } from '../../session/command-registry';
import type { ExplorerStore } from '../../session/store';

/** What the lab needs from the page. */
export interface LabPorts {
  store: ExplorerStore;
  /** Returns an engine that has run nothing yet. */
  engine: () => ExtraEngine;
  show: () => void;
  /** Shows a run in the explorer and starts it, after stopping the current one. */
  start: (spec: RunSpec) => Promise<void>;
  /**
   * Returns the lab's text stored on this device; null if there is none or storage is forbidden.
   */
  remembered: () => string | null;
  remember: (text: string) => void;
  save: (name: string, content: Blob) => void;
  /** Adds commands to the page. */
  register: (commands: CommandSource) => () => void;
}
