// The latch lab, as commands.
import type { CommandSource } from '../../session/command-registry';
import type { LatchLab } from './latch-lab';
import type { LabState } from './lab-state';

const isIdle = ({ lab }: LabState) => lab.work === null;
const lastStep = ({ lab }: LabState) => (lab.check?.walk.length ?? 0) - 1;

/** Of a fault's walk: where each command leads. */
const steps: readonly { id: string; title: string; to: (state: LabState) => number }[] = [
  { id: 'first', title: 'to the beginning', to: () => 0 },
  { id: 'back', title: 'one step back', to: ({ lab }) => (lab.check?.step ?? 0) - 1 },
  { id: 'on', title: 'one step on', to: ({ lab }) => (lab.check?.step ?? 0) + 1 },
  { id: 'last', title: 'to the fault', to: lastStep },
];

export const labCommands = (lab: LatchLab, stateNow: () => LabState): CommandSource<LabState> => ({
  commands: () => [
    {
      id: 'lab.check',
      title: 'Latch lab: is it right?',
      isEnabled: isIdle,
      unless_enabled: 'the lab is at work',
      execute: async () => {
        await lab.check();
      },
    },
    {
      id: 'lab.measure',
      title: 'Latch lab: does it scale?',
      isEnabled: isIdle,
      unless_enabled: 'the lab is at work',
      execute: async () => {
        await lab.measure();
      },
    },
    {
      id: 'lab.cancel',
      title: 'Latch lab: cancel, keep what came out so far',
      isEnabled: (state) => !isIdle(state),
      unless_enabled: 'the lab is not at work',
      execute: () => {
        lab.cancel();
      },
    },
    {
      id: 'lab.reset',
      title: 'Latch lab: the latch as it was at first',
      isEnabled: (state) => state.lab.source !== null,
      unless_enabled: 'nothing has been changed',
      execute: () => {
        lab.open(lab.lab.latch);
      },
    },
    ...steps.map(({ id, title, to }) => ({
      id: `lab.step.${id}`,
      title: `Latch lab: ${title}`,
      isEnabled: (state: LabState) => {
        const there = to(state);
        return state.lab.check !== null && there >= 0 && there <= lastStep(state);
      },
      unless_enabled: 'there is no such step',
      execute: () => {
        lab.lookAt(to(stateNow()));
      },
    })),
  ],
});
