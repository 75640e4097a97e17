// Reads measured files and the census of real servers for the page.
import path from 'node:path';

import type { Plugin } from 'vite';

import { readCensus } from '../../tools/census/read.mjs';
import { readStored, storedFiles } from '../../tools/evidence/stored-results.mjs';
import { measuredFiles, readMeasured } from '../../tools/real-servers/measured-file.mjs';
import { readManifests } from '../../tools/scenario-manifests.mjs';
import type { Published, RealServers } from '../analysis/real-servers/count-tables';
import { measuredServer } from '../analysis/real-servers/measured-server.mjs';
import type { Manifest } from '../contract/manifest';

const LIST_ID = 'virtual:real-servers';
const ONE_ID = 'virtual:real-servers/';

/**
 * Provides `import { realServers } from 'virtual:real-servers'`: for each scenario, a loader of
 * its measured files and census.
 */
export function realServers(scenariosFolder: string): Plugin {
  return {
    name: 'latchscope:real-servers',
    resolveId: (id) => (id === LIST_ID || id.startsWith(ONE_ID) ? `\0${id}` : null),
    async load(id) {
      if (id === `\0${LIST_ID}`) {
        const loaders = (await readManifests(scenariosFolder)).map(
          (manifest) => `${JSON.stringify(manifest.id)}: () => import('${ONE_ID}${manifest.id}'),`,
        );
        return `export const realServers = {\n${loaders.join('\n')}\n};`;
      }
      if (!id.startsWith(`\0${ONE_ID}`)) return null;
      const scenario = id.slice(ONE_ID.length + 1);
      const manifest = (await readManifests(scenariosFolder)).find((one) => one.id === scenario)!;
      for (const file of [
        ...storedFiles,
        'measured.schema.json',
        'census.schema.json',
        `${scenario}/census.json`,
      ])
        this.addWatchFile(path.join(scenariosFolder, file));
      for (const file of measuredFiles(scenariosFolder, scenario)) this.addWatchFile(file);
      return `export const found = ${JSON.stringify(await readRealServers(scenariosFolder, manifest))};`;
    },
  };
}

/**
 * Rejects with a ScenarioError that names the file, the field, its value and the allowed values.
 */
async function readRealServers(scenariosFolder: string, manifest: Manifest): Promise<RealServers> {
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
