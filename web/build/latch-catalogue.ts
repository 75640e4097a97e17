// Reads and checks the catalogue of latches for the page.
import path from 'node:path';

import { readChecked, readJson } from '../../tools/scenario-files.mjs';
import { readManifests } from '../../tools/scenario-manifests.mjs';
import {
  catalogueFaults,
  type CatalogueContext,
  type LatchCatalogue,
} from '../contract/scenario-files/latch-catalogue.ts';
import { virtualModules } from './virtual-modules.ts';

const FILE = 'latch-catalogue.json';
const ENGINE_LATCHES = 'latches.json';

/** Provides `import { catalogue } from 'virtual:latch-catalogue'`. Import it lazily. */
export const latchCatalogue = (scenariosFolder: string) =>
  virtualModules('latch-catalogue', {
    'virtual:latch-catalogue': async () => ({
      files: [FILE, ENGINE_LATCHES].map((file) => path.join(scenariosFolder, file)),
      exported: { catalogue: await readLatchCatalogue(scenariosFolder) },
    }),
  });

/** Rejects with a ScenarioError that lists every fault. */
export async function readLatchCatalogue(scenariosFolder: string): Promise<LatchCatalogue> {
  const manifests = await readManifests(scenariosFolder);
  const context: CatalogueContext = {
    reports: new Map(manifests.map(({ id, report }) => [id, report.url])),
    latches: readJson(
      path.join(scenariosFolder, ENGINE_LATCHES),
      `scenarios/${ENGINE_LATCHES}`,
    ) as CatalogueContext['latches'],
  };
  const { checked, bugs, latches } = (await readChecked(
    'latch-catalogue',
    path.join(scenariosFolder, FILE),
    `scenarios/${FILE}`,
    (document) => catalogueFaults(document as LatchCatalogue, context),
  )) as LatchCatalogue;
  return { checked, bugs, latches };
}
