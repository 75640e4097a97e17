// @ts-check
// Modules of the page, for tools. Vite builds them, since some Node versions that run the tools cannot read TypeScript.
import { join } from 'node:path';

import { repository } from './processes.mjs';

/**
 * @template Module
 * @param {string} file from the repository on; each file is built once, when somebody asks for it first
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
  const { runnerImport } = await import('vite'); // Not before the npm packages are installed.
  const { module } = await runnerImport(join(repository, file), { root: repository, logLevel: 'error' });
  return /** @type {Module} */ (module);
}
