// @ts-check
// Loads modules of the page into tools. Vite builds them, because some supported Node versions
// cannot read TypeScript.
import { join } from 'node:path';

import { repository } from './processes.mjs';

/**
 * Returns a loader for a module. The file is built on the first call.
 * @template Module
 * @param {string} file relative to the repository
 * @returns {() => Promise<Module>}
 */
export function moduleOfPage(file) {
  /** @type {Promise<Module> | undefined} */
  let loaded;
  return () => (loaded ??= load(file));
}

/**
 * @template Module
 * @param {string} file
 * @returns {Promise<Module>}
 */
async function load(file) {
  // Imported here: npm packages may not be installed yet.
  const { runnerImport } = await import('vite');
  const { module } = await runnerImport(join(repository, file), { root: repository, logLevel: 'error' });
  return /** @type {Module} */ (module);
}
