import { CommandButton } from '../../widgets/command-button';
import { useExplorer } from '../../widgets/session-context';
import { courseOf } from './course-tree';
import type { ForksState } from './forks-state';

/**
 * Opens the branches of the run and the branch that a link draws behind. Not shown before the run
 * has a second branch.
 */
export function CoursesButton() {
  const courses = useExplorer((state: ForksState) => state.forks.courseTree.courses.length);
  if (courses === 0) return null;
  return (
    <>
      <CommandButton command="forks.open" className="button-small" title="Show the branches of this run">
        {courses} branches
      </CommandButton>
      <BehindOfLink />
    </>
  );
}

function BehindOfLink() {
  const behind = useExplorer(({ forks: { courseTree } }: ForksState) =>
    courseOf(courseTree, courseTree.behind),
  );
  const progress = useExplorer((state: ForksState) => state.forks.carryOut);
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
