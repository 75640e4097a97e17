import { CommandButton } from '../../widgets/command-button';
import { useExplorer } from '../../widgets/session-context';
import type { ForksState } from './forks-state';

/** Leads to the courses of the run; there is none before it has taken a second one. */
export function CoursesButton() {
  const courses = useExplorer((state: ForksState) => state.forks.course_tree.courses.length);
  if (courses === 0) return null;
  return (
    <CommandButton
      command="forks.open"
      className="button-small"
      title="What this run came to before each change"
    >
      {courses} courses
    </CommandButton>
  );
}
