// Provides data that the build reads as modules of the page.
import type { Plugin } from 'vite';

import { readManifests } from '../../tools/scenario-manifests.mjs';
import type { BugManifest } from '../contract/manifest';

export interface ModuleContent {
  /** Paths of the files that the module depends on. */
  files: Iterable<string>;
  exported: object;
}

/** @param modules the content of each module, by its id */
export function virtualModules(name: string, modules: Record<string, () => Promise<ModuleContent>>): Plugin {
  return {
    name: `latchscope:${name}`,
    resolveId: (id) => (Object.hasOwn(modules, id) ? `\0${id}` : null),
    async load(id) {
      const read = id.startsWith('\0') ? modules[id.slice(1)] : undefined;
      if (read === undefined) return null;
      const { files, exported } = await read();
      for (const file of files) this.addWatchFile(file);
      return asExports(exported);
    },
  };
}

/**
 * Provides `virtual:<name>`, whose export `list` has a loader of each scenario's module.
 */
export function modulesOfScenarios(
  { name, list, folder }: { name: string; list: string; folder: string },
  contentOf: (manifest: BugManifest) => Promise<ModuleContent>,
): Plugin {
  const listId = `virtual:${name}`;
  const ofScenario = (id: string) => `${listId}/${id}`;
  const loaders = async () => {
    const imports = (await readManifests(folder)).map(
      ({ id }) => `${JSON.stringify(id)}: () => import('${ofScenario(id)}'),`,
    );
    return `export const ${list} = {\n${imports.join('\n')}\n};`;
  };
  return {
    name: `latchscope:${name}`,
    resolveId: (id) => (id === listId || id.startsWith(ofScenario('')) ? `\0${id}` : null),
    async load(id) {
      if (id === `\0${listId}`) return loaders();
      const manifests = id.startsWith(`\0${listId}`) ? await readManifests(folder) : [];
      const manifest = manifests.find((one) => id === `\0${ofScenario(one.id)}`);
      if (manifest === undefined) return null;
      const { files, exported } = await contentOf(manifest);
      for (const file of files) this.addWatchFile(file);
      return asExports(exported);
    },
  };
}

const asExports = (exported: object) =>
  Object.entries(exported)
    .map(([field, value]) => `export const ${field} = ${JSON.stringify(value)};`)
    .join('\n');
