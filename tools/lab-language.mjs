// @ts-check
// The language of the latch lab, for tools: the page's own compiler, which Vite builds (as in page-contract.mjs).
import { join } from 'node:path';

import { repository } from './processes.mjs';

/** @typedef {typeof import('../web/analysis/latch-language/for-tools')} Language */

/** @type {Promise<Language> | undefined} */
let loaded;

/** @returns {Promise<Language>} */
export const labLanguage = () => (loaded ??= load());

/** @returns {Promise<Language>} */
async function load() {
  const { runnerImport } = await import('vite'); // Not before the npm packages are installed.
  const { module } = await runnerImport(join(repository, 'web/analysis/latch-language/for-tools.ts'), {
    root: repository,
    logLevel: 'error',
  });
  return /** @type {Language} */ (module);
}
