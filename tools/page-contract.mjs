// @ts-check
// What web/contract declares, for tools: the same schemas and rules as the page's. Vite builds them, since
// some Node versions that run the tools cannot read TypeScript.
import { join } from 'node:path';

import { repository } from './processes.mjs';

/** @typedef {typeof import('../web/contract/for-tools')} Contract */

/** @type {Promise<Contract> | undefined} */
let loaded;

/** @returns {Promise<Contract>} */
export const contract = () => (loaded ??= load());

/** @returns {Promise<Contract>} */
async function load() {
  const { runnerImport } = await import('vite'); // Not before the npm packages are installed.
  const { module } = await runnerImport(join(repository, 'web/contract/for-tools.ts'), {
    root: repository,
    logLevel: 'error',
  });
  return /** @type {Contract} */ (module);
}
