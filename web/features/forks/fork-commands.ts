import type { Command, CommandSource } from '../../session/command-registry';
import { refusalToReplace } from '../../session/run-turn';
import { courseOf, notCarriedOut } from './course-tree';
import type { Forks } from './forks';
import { isUnderWay, type ForksState } from './forks-state';

const treeOf = (state: ForksState) => state.forks.course_tree;
const shownOf = (state: ForksState) => courseOf(treeOf(state), treeOf(state).current);

/** `open` shows them over the page. */
export const forkCommands = (forks: Forks, open: () => void): CommandSource<ForksState> => ({
  dependsOn: (state) => [treeOf(state)],
  commands: (state) => [
    {
      id: 'forks.open',
      title: 'Courses of this run',
      isEnabled: (now) => treeOf(now).courses.length > 0,
      unless_enabled: 'the run has taken one course: go back in it and change something',
      execute: open,
    },
    {
      id: 'forks.compare',
      title: 'Where this course and the one that it left part',
      isEnabled: (now) => (shownOf(now)?.parent ?? null) !== null,
      unless_enabled: 'the course that is shown has left no other one',
      execute: async () => {
        open();
        const { id, parent } = courseOf(forks.now(), forks.now().current)!;
        await forks.compare(parent!, id);
      },
    },
    {
      id: 'forks.cancel',
      title: 'Cancel the comparison of courses',
      isEnabled: ({ forks: { comparison } }) => comparison !== null && isUnderWay(comparison),
      unless_enabled: 'no courses are being compared',
      execute: () => {
        forks.stopComparing();
      },
    },
    {
      id: 'forks.carry_out',
      title: 'Carry out all courses of this run',
      isEnabled: (now) => whyNotCarryOut(now) === null,
      whyNot: whyNotCarryOut,
      execute: () => forks.carryOutAll(),
    },
    {
      id: 'forks.carry_out.cancel',
      title: 'Cancel carrying out courses, keep those that are over',
      isEnabled: ({ forks: { carry_out } }) => carry_out !== null && !carry_out.is_cancelling,
      unless_enabled: 'no courses are being carried out',
      execute: () => forks.stopCarryingOut(),
    },
    {
      id: 'forks.forget',
      title: 'Forget the courses of this run',
      isEnabled: (now) => treeOf(now).courses.length > 0,
      unless_enabled: 'there are none',
      execute: () => {
        forks.forget();
      },
    },
    ...treeOf(state).courses.flatMap(({ id, name }): Command<ForksState>[] => [
      {
        id: `forks.show.${id}`,
        title: `Carry out the course “${name}” again`,
        isEnabled: (now: ForksState) => refusalToReplace(now) === null,
        unless_enabled: 'another run is starting or stopping',
        execute: () => forks.show(id),
      },
      {
        id: `forks.behind.${id}`,
        title: `Draw the course “${name}” behind`,
        isEnabled: (now: ForksState) => whyNotDrawBehind(now, id) === null,
        whyNot: (now: ForksState) => whyNotDrawBehind(now, id),
        execute: () => forks.drawBehind(id),
      },
    ]),
  ],
});

const BEING_CARRIED_OUT = 'courses are being carried out';

function whyNotCarryOut(state: ForksState): string | null {
  if (state.forks.carry_out !== null) return BEING_CARRIED_OUT;
  return notCarriedOut(treeOf(state)).length === 0 ? 'all were carried out' : null;
}

function whyNotDrawBehind(state: ForksState, id: number): string | null {
  if (treeOf(state).current === id) return 'it is shown';
  const must_be_carried_out = courseOf(treeOf(state), id)?.seen == null;
  return must_be_carried_out && state.forks.carry_out !== null ? BEING_CARRIED_OUT : null;
}
