// Declares the branches' slice of the session's state, and their fields of the link.
import type { BranchDiff } from '../../contract/going-back';
import type { RunSpec } from '../../contract/run-spec';
import type { BatchProgress } from '../../session/batch';
import type { DiffProgress } from '../../session/branch-diff';
import type { Feature } from '../../session/feature';
import { isNextRunTheSame } from '../../session/baseline-run';
import type { ExplorerState } from '../../session/store';
import { noBranches, type BranchTree } from './branch-tree';
import { branchFields, branchPairs, isBranchField, parseBranches } from './fork-link';

/** Two compared branches, by id. */
export interface Comparison {
  a: number;
  b: number;
  /** Number of seeds: the seed of the run, and the ones after it. */
  seeds: number;
  progress: DiffProgress;
  diff: BranchDiff | null;
  /** Why there is no diff. */
  failed: string | null;
}

export interface BranchRun {
  id: number;
  name: string;
  /** Includes the end of the run. */
  spec: RunSpec;
}

export type CarryOutProgress = BatchProgress<BranchRun>;

export const isUnderWay = ({ diff, failed }: Comparison) => diff === null && failed === null;

export interface ForksSlice {
  branchTree: BranchTree;
  comparison: Comparison | null;
  /** Progress of branches running in the background; null if there are none. */
  replay: CarryOutProgress | null;
  /** Descriptions of branches that failed. */
  notReplayed: readonly string[];
}

export type ForksState = ExplorerState & { forks: ForksSlice };

export const noForks: ForksSlice = {
  branchTree: noBranches,
  comparison: null,
  replay: null,
  notReplayed: [],
};

export const forksFeature: Feature = {
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
    format: (state) => {
      const { forks } = state as ForksState;
      return state.view === 'explorer' && isNextRunTheSame(state) ? branchPairs(forks.branchTree) : [];
    },
    partsOf: (state) => [(state as ForksState).forks.branchTree, state.spec, state.marks],
  },
};
