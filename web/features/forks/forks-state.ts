// Declares the branches' slice of the session's state.
import type { BranchDiff } from '../../contract/going-back';
import type { RunSpec } from '../../contract/run-spec';
import type { BatchProgress } from '../../session/batch';
import type { DiffProgress } from '../../session/branch-diff';
import { noBranches, type BranchTree } from './branch-tree';

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

declare module '../../session/store' {
  interface FeatureSlices {
    forks: ForksSlice;
  }
}

export const noForks: ForksSlice = {
  branchTree: noBranches,
  comparison: null,
  replay: null,
  notReplayed: [],
};
