// Provides the stage of each bug: its story, and the recorded course of its run.
import path from 'node:path';

import { fileOf, read } from '../../research/evidence/stage.mjs';
import { readStored, storedFile } from '../../research/evidence/stored-results.mjs';
import type { StageStory } from '../contract/scenario-files/stage';
import { modulesOfScenarios } from './virtual-modules.ts';

/** Provides `import { stages } from 'virtual:stages'`: for each scenario, a loader of its stage. */
export function stages(root: string) {
  const folder = path.join(root, 'scenarios');
  return modulesOfScenarios({ name: 'stages', list: 'stages', folder }, async (manifest) => {
    const stored = readStored(folder, 'stage')[manifest.id]?.figures as object | undefined;
    if (stored === undefined)
      throw new Error(`${storedFile('stage')} lacks ${manifest.id}: npm run evidence -- stage --update`);
    const files = [fileOf(manifest), storedFile('stage')].map((file) => path.join(root, file));
    const story = (await read(manifest)) as StageStory;
    return { files, exported: { story, course: stored } };
  });
}
