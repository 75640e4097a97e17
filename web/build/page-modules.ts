// Lists the generated modules of the page, for its build and its tests.
import path from 'node:path';

import { labModules } from './lab-modules.ts';
import { latchCatalogue } from './latch-catalogue.ts';
import { lessonCourses } from './lesson-courses.ts';
import { realServers } from './real-servers.ts';
import { scenarios } from './scenarios.ts';
import { sourceViews } from './source-views.ts';
import { stages } from './stages.ts';

/** Returns the plugins that provide them, from the folder of the repository. */
export function pageModules(root: string) {
  const scenariosFolder = path.join(root, 'scenarios');
  return [
    scenarios(scenariosFolder),
    realServers(scenariosFolder),
    sourceViews(root),
    stages(root),
    lessonCourses(root),
    labModules(),
    latchCatalogue(scenariosFolder),
  ];
}
