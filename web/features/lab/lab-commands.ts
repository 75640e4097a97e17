// Defines the commands of the latch lab.
import type { CommandSource } from '../../session/command-registry';
import { nextExercise } from './exercise-progress';
import { LatchLab, type LabPorts } from './latch-lab';
import type { ExplorerState } from '../../session/store';

const always = () => true;
const isIdle = ({ lab }: ExplorerState) => lab.work === null;
const hasExercise = ({ lab }: ExplorerState) => lab.exercise !== null;
const stepOf = ({ lab }: ExplorerState) => lab.check?.step ?? 0;
const lastStepOf = ({ lab }: ExplorerState) => (lab.check?.walk.length ?? 0) - 1;

interface LabCommand {
  id: string;
  title: string;
  isEnabled: (state: ExplorerState) => boolean;
  unlessEnabled?: string;
  carryOut: (lab: LatchLab) => unknown;
}

const AT_WORK = 'the lab is busy';

const all: readonly LabCommand[] = [
  {
    ...{ id: 'check', title: 'check correctness', isEnabled: isIdle, unlessEnabled: AT_WORK },
    carryOut: (lab) => lab.check(),
  },
  {
    ...{ id: 'measure', title: 'measure scaling', isEnabled: isIdle, unlessEnabled: AT_WORK },
    carryOut: (lab) => lab.measure(),
  },
  {
    ...{ id: 'judge', title: 'check solution' },
    isEnabled: (state) => isIdle(state) && hasExercise(state),
    unlessEnabled: 'no exercise is open, or the lab is busy',
    carryOut: (lab) => lab.judge(),
  },
  {
    ...{ id: 'next_exercise', title: 'next exercise' },
    isEnabled: ({ lab }) => nextExercise(lab) !== null,
    unlessEnabled: 'all exercises are solved',
    carryOut: (lab) => {
      lab.goToNextExercise();
    },
  },
  {
    ...{ id: 'server', title: 'run bug, switch to latch', isEnabled: always },
    carryOut: (lab) => lab.takeToServer(false),
  },
  {
    ...{ id: 'server_flipped', title: 'run bug with latch' },
    isEnabled: always,
    carryOut: (lab) => lab.takeToServer(true),
  },
  {
    ...{ id: 'model', title: 'load model answer' },
    isEnabled: hasExercise,
    unlessEnabled: 'no exercise is open',
    carryOut: (lab) => {
      lab.showModel();
    },
  },
  {
    ...{ id: 'save_answers', title: 'save answers' },
    isEnabled: ({ lab }) => Object.keys(lab.solved).length > 0,
    unlessEnabled: 'no exercise is solved yet',
    carryOut: (lab) => {
      lab.saveAnswers();
    },
  },
  {
    ...{ id: 'cancel', title: 'cancel and keep results' },
    isEnabled: (state) => !isIdle(state),
    unlessEnabled: 'the lab is idle',
    carryOut: (lab) => {
      lab.cancel();
    },
  },
  {
    ...{ id: 'reset', title: 'start over' },
    isEnabled: ({ lab }) => lab.source !== null,
    unlessEnabled: 'the source is unchanged',
    carryOut: (lab) => {
      lab.reset();
    },
  },
];

/** The step of a fault's walk that each command shows. */
const steps: readonly { id: string; title: string; to: (state: ExplorerState) => number }[] = [
  { id: 'first', title: 'first step', to: () => 0 },
  { id: 'back', title: 'previous step', to: (state) => stepOf(state) - 1 },
  { id: 'on', title: 'next step', to: (state) => stepOf(state) + 1 },
  { id: 'last', title: 'go to fault', to: lastStepOf },
];

const stepsAsCommands = steps.map(({ id, title, to }): LabCommand => ({
  id: `step.${id}`,
  title,
  isEnabled: (state) => state.lab.check !== null && to(state) >= 0 && to(state) <= lastStepOf(state),
  unlessEnabled: 'no such step',
  carryOut: (lab) => {
    lab.lookAt(to(lab.state));
  },
}));

const labCommands = (lab: LatchLab): CommandSource => ({
  commands: () =>
    [...all, ...stepsAsCommands].map(({ id, title, carryOut, ...when }) => ({
      id: `lab.${id}`,
      title: `Latch lab: ${title}`,
      ...when,
      execute: async () => {
        await carryOut(lab);
      },
    })),
});

/** Creates the lab and adds its commands to the page. */
export function openLab(ports: LabPorts): LatchLab {
  const lab = new LatchLab(ports);
  ports.register(labCommands(lab));
  return lab;
}
