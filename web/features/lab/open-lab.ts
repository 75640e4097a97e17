import { labCommands } from './lab-commands';
import type { LabPorts } from './lab-ports';
import { LatchLab } from './latch-lab';

/** The lab, whose commands the page has from now on. */
export function openLab(ports: LabPorts): LatchLab {
  const lab = new LatchLab(ports);
  ports.register(labCommands(lab));
  return lab;
}
