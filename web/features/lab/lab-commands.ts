// The latch lab, as commands.
import type { CommandSource } from '../../session/command-registry';
import type { LatchLab } from './latch-lab';
import type { LabState } from './lab-state';

const always = () => true;
const isIdle = ({ lab }: LabState) => lab.work === null;
const hasExercise = ({ lab }: LabState) => lab.exercise !== null;
const stepOf = ({ lab }: LabState) => lab.check?.step ?? 0;
const lastStepOf = ({ lab }: LabState) => (lab.check?.walk.length ?? 0) - 1;

interface LabCommand {
  id: string;
  title: string;
  isEnabled: (state: LabState) => boolean;
  unless_enabled?: string;
  carryOut: (lab: LatchLab) => unknown;
}

const AT_WORK = 'the lab is at work';

const all: readonly LabCommand[] = [
  {
    ...{ id: 'check', title: 'is it right?', isEnabled: isIdle, unless_enabled: AT_WORK },
    carryOut: (lab) => lab.check(),
  },
  {
    ...{ id: 'measure', title: 'does it scale?', isEnabled: isIdle, unless_enabled: AT_WORK },
    carryOut: (lab) => lab.measure(),
  },
  {
    ...{ id: 'judge', title: 'is the exercise solved?' },
    isEnabled: (state) => isIdle(state) && hasExercise(state),
    unless_enabled: 'no exercise is open, or the lab is at work',
    carryOut: (lab) => lab.judge(),
  },
  {
    ...{ id: 'server', title: 'into the server, to flip to it', isEnabled: always },
    carryOut: (lab) => lab.takeToServer(false),
  },
  {
    ...{ id: 'server_flipped', title: 'into the server, with it from the start' },
    isEnabled: always,
    carryOut: (lab) => lab.takeToServer(true),
  },
  {
    ...{ id: 'model', title: 'show the model answer of the exercise' },
    isEnabled: hasExercise,
    unless_enabled: 'no exercise is open',
    carryOut: (lab) => {
      lab.showModel();
    },
  },
  {
    ...{ id: 'save_answers', title: 'save my answers to the exercises' },
    isEnabled: ({ lab }) => Object.keys(lab.solved).length > 0,
    unless_enabled: 'no exercise is solved yet',
    carryOut: (lab) => {
      lab.saveAnswers();
    },
  },
  {
    ...{ id: 'cancel', title: 'cancel, keep what came out so far' },
    isEnabled: (state) => !isIdle(state),
    unless_enabled: 'the lab is not at work',
    carryOut: (lab) => {
      lab.cancel();
    },
  },
  {
    ...{ id: 'reset', title: 'start over' },
    isEnabled: ({ lab }) => lab.source !== null,
    unless_enabled: 'nothing has been changed',
    carryOut: (lab) => {
      lab.reset();
    },
  },
];

/** Of a fault's walk: where each command leads. */
const steps: readonly { id: string; title: string; to: (state: LabState) => number }[] = [
  { id: 'first', title: 'to the beginning', to: () => 0 },
  { id: 'back', title: 'one step back', to: (state) => stepOf(state) - 1 },
  { id: 'on', title: 'one step on', to: (state) => stepOf(state) + 1 },
  { id: 'last', title: 'to the fault', to: lastStepOf },
];

const steps_as_commands = steps.map(({ id, title, to }): LabCommand => ({
  id: `step.${id}`,
  title,
  isEnabled: (state) => state.lab.check !== null && to(state) >= 0 && to(state) <= lastStepOf(state),
  unless_enabled: 'there is no such step',
  carryOut: (lab) => {
    lab.lookAt(to(lab.state));
  },
}));

export const labCommands = (lab: LatchLab): CommandSource<LabState> => ({
  commands: () =>
    [...all, ...steps_as_commands].map(({ id, title, carryOut, ...when }) => ({
      id: `lab.${id}`,
      title: `Latch lab: ${title}`,
      ...when,
      execute: async () => {
        await carryOut(lab);
      },
    })),
});
