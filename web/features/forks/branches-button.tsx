import { CommandButton } from '../../widgets/command-button';
import { useExplorer } from '../../widgets/session-context';
import { branchOf } from './branch-tree';
import type { ExplorerState } from '../../session/store';

/**
 * Opens the branches of the run and the branch that a link draws behind. Not shown before the run
 * has a second branch.
 */
export function BranchesButton() {
  const branches = useExplorer((state) => state.forks.branchTree.branches.length);
  if (branches === 0) return null;
  return (
    <>
      <CommandButton command="forks.open" className="button-small" title="Show the branches of this run">
        {branches} branches
      </CommandButton>
      <BehindOfLink />
    </>
  );
}

function BehindOfLink() {
  const behind = useExplorer(({ forks: { branchTree } }: ExplorerState) =>
    branchOf(branchTree, branchTree.behind),
  );
  const progress = useExplorer((state) => state.forks.replay);
  if (behind?.seen !== null) return null;
  if (progress !== null) return <span className="hint">Replaying “{behind.name}” …</span>;
  return (
    <CommandButton
      command={`forks.behind.${behind.id}`}
      className="button-small"
      title="Replay this branch, then overlay it in the charts"
    >
      Overlay “{behind.name}”
    </CommandButton>
  );
}
