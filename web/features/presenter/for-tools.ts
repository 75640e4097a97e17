// Records the runs of a lesson.
import { all_scenarios } from '../../contract/all-scenarios';
import type { StoredCourse } from '../../contract/client-queue';
import type { RunSpec } from '../../contract/run-spec';
import { lessonRuns } from '../../session/lesson-runs';
import { anyMachine, recordRun } from '../../session/test-fixtures/recording-in-node';

export interface LessonRecording {
  /** In the order of the lesson. */
  specs: readonly RunSpec[];
  courses: readonly StoredCourse[];
}

/** Runs all runs of a scenario's lesson to their ends. */
export async function recordLesson(scenario: string): Promise<LessonRecording> {
  const runs = lessonRuns(
    all_scenarios.find(({ manifest }) => manifest.id === scenario)!,
    anyMachine,
  );
  const courses: StoredCourse[] = [];
  for (const { spec } of runs) courses.push(await recordRun(spec));
  return { specs: runs.map(({ spec }) => spec), courses };
}
