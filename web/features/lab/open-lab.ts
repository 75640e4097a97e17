import { labCommands } from './lab-commands';
import type { LabPorts } from './lab-ports';
import { LatchLab } from './latch-lab';

/** Creates the lab and adds its commands to the page. */
export function openLab(ports: LabPorts): LatchLab {
  const lab = new LatchLab(ports);
  ports.register(labCommands(lab));
  return lab;
}
