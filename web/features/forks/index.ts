import { lazy } from 'react';

import { isNextRunTheSame } from '../../session/baseline-run';
import type { Feature } from '../../session/feature';
import type { Session } from '../../session/session';
import { forkCommands } from './fork-commands';
import { branchFields, branchPairs, isBranchField, parseBranches } from './fork-link';
import { Forks } from './forks';
import { noForks } from './forks-state';

export { BranchesButton } from './branches-button';

export const BranchesPanel = lazy(() => import('./branches-panel'));

declare module '../../session/feature' {
  interface FeatureModels {
    forks: Forks;
  }
}

interface ForkPorts {
  session: Session;
  openDialog: (dialog: 'courses') => void;
}

export const forksFeature: Feature<ForkPorts> = {
  slice: { forks: noForks },
  sliceAfterLeaving: () => ({ forks: noForks }),
  link: {
    names: branchFields,
    isBesideTheRun: false,
    isField: isBranchField,
    isOfAnyPlatform: () => false,
    misplaced: (view, pairs) =>
      pairs.flatMap(([field, value]) =>
        isBranchField(field) && view !== 'explorer'
          ? [{ field, value, allowed: `no such field with view=${view}` }]
          : [],
      ),
    parse: parseBranches,
    format: (state) =>
      state.view === 'explorer' && isNextRunTheSame(state) ? branchPairs(state.forks.branchTree) : [],
    partsOf: (state) => [state.forks.branchTree, state.spec, state.marks],
  },
  open: ({ session, openDialog }) => {
    const forks = new Forks(session);
    const commands = forkCommands(forks, () => openDialog('courses'));
    return {
      models: { forks },
      commands: [commands],
      openLink: (link) => forks.openLink(link),
    };
  },
};
