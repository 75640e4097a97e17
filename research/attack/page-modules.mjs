// Loads modules of the page into Node, built by Vite for Node.
import { join } from 'node:path';

import { loadConfigFromFile, runnerImport } from 'vite';

import { repository } from '../../tools/processes.mjs';

const ENTRY = 'virtual:attacked';
const NO_STYLES = '\0virtual:no-styles';

/**
 * @param {string[]} modules such as session/link.ts
 * @returns {Promise<Record<string, any>>} all of their exports, merged
 */
export async function importFromPage(modules) {
  const { config } = await loadConfigFromFile(
    { command: 'serve', mode: 'production' },
    join(repository, 'vite.config.ts'),
    undefined,
    'error',
  );
  const text = modules.map((name) => `export * from ${JSON.stringify(join(repository, 'web', name))};`);
  const entry = {
    name: 'attacked',
    enforce: 'pre',
    // Views import styles, which Vite processes only for a browser.
    resolveId: (id) => (id.endsWith('.css') ? NO_STYLES : id === ENTRY ? `\0${ENTRY}` : null),
    load: (id) => (id === NO_STYLES ? '' : id === `\0${ENTRY}` ? text.join('\n') : null),
  };
  const { module } = await runnerImport(ENTRY, {
    root: join(repository, 'web'),
    logLevel: 'error',
    plugins: [config.plugins, entry],
  });
  return module;
}
