// Configures Vite for the JavaScript of the npm package: one bundle per program, without any
// dependency at run time. The bundle for Playwright's users imports their Playwright. tools/npm-package.mjs adds the page and the engines.
import path from 'node:path';

import { defineConfig, type Plugin } from 'vite';

import { latchCatalogue } from '../../web/build/latch-catalogue.ts';
import { scenarios } from '../../web/build/scenarios.ts';
import { BUNDLED_PACKAGES_FILE, thirdPartyNotices } from '../../web/build/third-party-notices.ts';
import { declaredCounters } from '../engine-counters.mjs';

const tools = path.join(import.meta.dirname, '..');
const inTools = (...parts: string[]) => path.join(tools, ...parts);

/** Files that build or set up something, by those that replace them in the package. */
const replaced = new Map(
  Object.entries({
    'page-module.mjs': 'package/page-module.mjs',
    'engine-program.mjs': 'package/engine-program.mjs',
    'run-spec.mjs': 'package/run-spec.mjs',
    'setup/index.mjs': 'package/setup.mjs',
  }).map(([file, by]) => [inTools(file), inTools(by)]),
);

const replaceBuilds = (): Plugin => ({
  name: 'latchscope:replace-builds',
  enforce: 'pre',
  async resolveId(id, importer) {
    const resolved = await this.resolve(id, importer, { skipSelf: true });
    return resolved === null ? null : (replaced.get(resolved.id) ?? null);
  },
});

/** The package has no C++ headers, so their declarations are read when it is built. */
const readHeaders = (): Plugin => ({
  name: 'latchscope:read-headers',
  load: (id) =>
    id === inTools('engine-counters.mjs')
      ? `const counters = ${JSON.stringify(declaredCounters())};\nexport const declaredCounters = () => counters;`
      : null,
});

export default defineConfig({
  root: path.join(tools, '..'),
  publicDir: false,
  plugins: [
    replaceBuilds(),
    readHeaders(),
    scenarios(path.join(tools, '../scenarios')),
    latchCatalogue(path.join(tools, '../scenarios')),
    thirdPartyNotices(path.join(tools, '..')),
  ],
  ssr: { noExternal: true, external: ['@playwright/test'] },
  build: {
    ssr: true,
    target: 'node20',
    minify: true,
    emitAssets: true,
    license: { fileName: BUNDLED_PACKAGES_FILE },
    rolldownOptions: {
      input: {
        latchscope: inTools('package/latchscope.mjs'),
        engine: inTools('node-engine/latchscope.mjs'),
        index: inTools('package/index.mjs'),
        playwright: inTools('package/playwright.ts'),
        'run-worker': inTools('package/run-worker.mjs'),
        worker: inTools('node-engine/worker.mjs'),
      },
      output: { entryFileNames: '[name].mjs', chunkFileNames: 'chunk-[name]-[hash].mjs' },
    },
  },
});
