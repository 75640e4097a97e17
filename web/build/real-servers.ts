// Reads measured files and the census of real servers for the page.
import path from 'node:path';

import { readCensus } from '../../research/census/read.mjs';
import { readStored, storedFiles } from '../../research/evidence/stored-results.mjs';
import { measuredFiles, readMeasured } from '../../research/real-servers/measured-file.mjs';
import type { Published, RealServers } from '../analysis/real-servers/count-tables';
import { measuredServer } from '../contract/real-servers/measured-server.mjs';
import type { BugManifest } from '../contract/manifest';
import { modulesOfScenarios } from './virtual-modules.ts';

/**
 * Provides `import { realServers } from 'virtual:real-servers'`: for each scenario, a loader of
 * its measured files and census.
 */
export const realServers = (folder: string) =>
  modulesOfScenarios({ name: 'real-servers', list: 'realServers', folder }, async (manifest) => {
    const schemas = ['measured.schema.json', 'census.schema.json'];
    const files = [...storedFiles, ...schemas, `${manifest.id}/census.json`];
    return {
      files: [...files.map((file) => path.join(folder, file)), ...measuredFiles(folder, manifest.id)],
      exported: { found: await readRealServers(folder, manifest) },
    };
  });

/**
 * Rejects with a ScenarioError that names the file, the field, its value and the allowed values.
 */
async function readRealServers(scenariosFolder: string, manifest: BugManifest): Promise<RealServers> {
  const servers = (await readMeasured(scenariosFolder, manifest.id)).map(measuredServer);
  const census = await readCensus(scenariosFolder, manifest);
  return {
    servers,
    variants: census?.variants ?? {},
    exceptions: (census?.exceptions ?? []).map(({ experiment, figure, servers: of, because }) => ({
      experiment,
      figure,
      servers: of,
      because,
    })),
    reported: census?.reported ?? [],
    engine: (readStored(scenariosFolder, 'census')[manifest.id]?.figures ?? []) as RealServers['engine'],
    published: readPublished(scenariosFolder, manifest.id),
  };
}

interface Sweep {
  unit: string;
  curves: {
    run: string;
    points: { threads: number; published: { value: Published['value']; source: string } | null }[];
  }[];
}

/** Reads published throughput from the sweeps of `npm run reproduce`. */
function readPublished(scenariosFolder: string, scenario: string): Published[] {
  const { sweeps = [] } = (readStored(scenariosFolder, 'reproduction')[scenario]?.figures ?? {}) as {
    sweeps?: Sweep[];
  };
  return sweeps.flatMap(({ unit, curves }) =>
    curves.flatMap(({ run, points }) =>
      points.flatMap(({ threads, published }) =>
        published === null ? [] : [{ clients: threads, unit, run, ...published }],
      ),
    ),
  );
}
