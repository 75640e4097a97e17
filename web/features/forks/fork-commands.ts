import type { Command, CommandSource } from '../../session/command-registry';
import { refusalToReplace } from '../../session/run-lock';
import { branchOf, notCarriedOut } from './branch-tree';
import type { Forks } from './forks';
import { isUnderWay } from './forks-state';
import type { ExplorerState } from '../../session/store';

const treeOf = (state: ExplorerState) => state.forks.branchTree;
const shownOf = (state: ExplorerState) => branchOf(treeOf(state), treeOf(state).current);

/** `open` shows the branches over the page. */
export const forkCommands = (forks: Forks, open: () => void): CommandSource => ({
  dependsOn: (state) => [treeOf(state)],
  commands: (state) => [
    {
      id: 'forks.open',
      title: 'Branches of this run',
      isEnabled: (now) => treeOf(now).branches.length > 0,
      unlessEnabled: 'the run has one branch; go back and change something first',
      execute: open,
    },
    {
      id: 'forks.compare',
      title: 'Compare branch with its parent',
      isEnabled: (now) => (shownOf(now)?.parent ?? null) !== null,
      unlessEnabled: 'this branch has no parent',
      execute: async () => {
        open();
        const { id, parent } = branchOf(forks.now(), forks.now().current)!;
        await forks.compare(parent!, id);
      },
    },
    {
      id: 'forks.cancel',
      title: 'Cancel branch comparison',
      isEnabled: ({ forks: { comparison } }) => comparison !== null && isUnderWay(comparison),
      unlessEnabled: 'no branches are being compared',
      execute: () => forks.stopComparing(),
    },
    {
      id: 'forks.carry_out',
      title: 'Replay all branches',
      whyNot: whyNotCarryOut,
      execute: () => forks.carryOutAll(),
    },
    {
      id: 'forks.carry_out.cancel',
      title: 'Cancel replay, keep finished branches',
      isEnabled: ({ forks: { replay } }) => replay !== null && !replay.isCancelling,
      unlessEnabled: 'no branches are being replayed',
      execute: () => forks.stopCarryingOut(),
    },
    {
      id: 'forks.forget',
      title: 'Delete all branches',
      isEnabled: (now) => treeOf(now).branches.length > 0,
      unlessEnabled: 'there are no branches',
      execute: () => forks.forget(),
    },
    ...treeOf(state).branches.flatMap(({ id, name }): Command[] => [
      {
        id: `forks.show.${id}`,
        title: `Replay branch “${name}”`,
        isEnabled: (now: ExplorerState) => refusalToReplace(now) === null,
        unlessEnabled: 'another run is starting or stopping',
        execute: () => forks.show(id),
      },
      {
        id: `forks.behind.${id}`,
        title: `Overlay branch “${name}”`,
        whyNot: (now: ExplorerState) => whyNotDrawBehind(now, id),
        execute: () => forks.drawBehind(id),
      },
    ]),
  ],
});

const BEING_CARRIED_OUT = 'branches are being replayed';

function whyNotCarryOut(state: ExplorerState): string | null {
  if (state.forks.replay !== null) return BEING_CARRIED_OUT;
  return notCarriedOut(treeOf(state)).length === 0 ? 'all branches have run' : null;
}

function whyNotDrawBehind(state: ExplorerState, id: number): string | null {
  if (treeOf(state).current === id) return 'it is shown';
  const mustBeCarriedOut = branchOf(treeOf(state), id)?.seen == null;
  return mustBeCarriedOut && state.forks.replay !== null ? BEING_CARRIED_OUT : null;
}
