// Provides the recorded runs of each lesson.
import path from 'node:path';

import { readStored, storedFile } from '../../research/evidence/stored-results.mjs';
import { modulesOfScenarios } from './virtual-modules.ts';

/**
 * Provides `import { lessonCourses } from 'virtual:lesson-courses'`: for each scenario, a loader of
 * its lesson's recorded runs.
 */
export function lessonCourses(root: string) {
  const folder = path.join(root, 'scenarios');
  return modulesOfScenarios({ name: 'lesson-courses', list: 'lessonCourses', folder }, ({ id }) => {
    const { courses = [] } = (readStored(folder, 'lesson')[id]?.figures ?? {}) as { courses?: object[] };
    return Promise.resolve({ files: [path.join(root, storedFile('lesson'))], exported: { courses } });
  });
}
