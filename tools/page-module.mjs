// @ts-check
// Loads modules of the page into tools. Vite builds them, because some supported Node versions
// cannot read TypeScript.
import { join } from 'node:path';

import { repository } from './processes.mjs';

/**
 * Returns a loader for a module. The file is built on the first call.
 * @template Module
 * @param {string} file relative to the repository
 * @param {{ withScenarios?: boolean }} [options] `withScenarios`: it imports
 *   `virtual:scenarios` or `virtual:latch-catalogue`
 * @returns {() => Promise<Module>}
 */
export function moduleOfPage(file, { withScenarios = false } = {}) {
  /** @type {Promise<Module> | undefined} */
  let loaded;
  return () => (loaded ??= load(file, withScenarios ? scenariosPlugin : async () => []));
}

/**
 * @template Module
 * @param {string} file
 * @param {() => Promise<import('vite').Plugin[]>} plugins
 * @returns {Promise<Module>}
 */
async function load(file, plugins) {
  // Imported here: npm packages may not be installed yet.
  const { runnerImport } = await import('vite');
  const { module } = await runnerImport(join(repository, file), {
    root: repository,
    logLevel: 'error',
    plugins: await plugins(),
  });
  return /** @type {Module} */ (module);
}

/**
 * Loads a module that imports others while it runs, such as the engine, for `use`.
 * @template Module, Result
 * @param {string} file relative to the repository; it may import `virtual:scenarios`
 * @param {(module: Module) => Promise<Result>} use
 * @returns {Promise<Result>}
 */
export async function withModuleOfPage(file, use) {
  const { createServer } = await import('vite');
  const server = await createServer({
    root: repository,
    configFile: false,
    logLevel: 'error',
    appType: 'custom',
    server: { middlewareMode: true, watch: null, ws: false },
    optimizeDeps: { noDiscovery: true },
    plugins: await scenariosPlugin(),
  });
  try {
    return await use(/** @type {Module} */ (await server.ssrLoadModule(`/${file}`)));
  } finally {
    await server.close();
  }
}

/** The plugins of the page's build that modules for tools need. */
const PROVIDED = ['latchscope:scenarios', 'latchscope:latch-catalogue'];

/**
 * Provides the scenarios and the catalogue of latches, as in the page's build.
 * @returns {Promise<import('vite').Plugin[]>}
 */
async function scenariosPlugin() {
  const { loadConfigFromFile } = await import('vite');
  const file = join(repository, 'vite.config.ts');
  const loaded = await loadConfigFromFile({ command: 'build', mode: 'production' }, file);
  const plugins = /** @type {import('vite').Plugin[]} */ (loaded?.config.plugins?.flat());
  return plugins.filter(({ name }) => PROVIDED.includes(name));
}
