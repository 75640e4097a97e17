// Loads the recorded runs of a lesson.
import { lessonCourses } from 'virtual:lesson-courses';

import type { StoredCourse } from '../../contract/client-queue';
import type { Machine } from '../../contract/run-spec';
import type { Scenario } from '../../contract/manifest';
import { courseOf } from '../../session/course';
import { lessonRuns } from '../../session/lesson-runs';
import type { RecordedLessonRun } from './ports';

/** Returns the runs of a scenario's lesson that this build has recordings of. */
export async function loadRecordings(scenario: Scenario, machine: Machine): Promise<RecordedLessonRun[]> {
  const { manifest } = scenario;
  const { courses } = (await lessonCourses[manifest.id]?.()) ?? { courses: [] };
  return lessonRuns(scenario, machine).flatMap((run, index) => {
    const stored = courses[index] as StoredCourse | undefined;
    return stored === undefined ? [] : { ...run, course: courseOf(stored, run.spec, manifest) };
  });
}
