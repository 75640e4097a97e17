// Configures Vite, which builds the page.
import path from 'node:path';

import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

import { pageModules } from './web/build/page-modules.ts';
import {
  contentSecurityPolicy,
  hardeningHeaders,
  isolationHeaders,
} from './web/contract/response-headers.mjs';
import { embedding, offline, rescue } from './web/build/scripts.ts';
import {
  BUNDLED_PACKAGES_FILE,
  packagesOfWorkers,
  thirdPartyNotices,
} from './web/build/third-party-notices.ts';

const browserSource = (name: string) => path.join(import.meta.dirname, 'web/browser', name);
const pageSource = (name: string) => path.join(import.meta.dirname, 'web', name);

/** An entry runs as soon as it is loaded, so neither page may load a file with the other's entry. */
const isOfPage = (module: string) =>
  !/\/web\/(main\.tsx|embed\.tsx|shell\/embedded-|browser\/embedding\/|index\.html|embed\.html|shell\/styles\/)/.test(
    module,
  );

/**
 * Puts the policy into the built page, so that it applies on any host. Vite's own dev page needs
 * inline scripts.
 */
function securityPolicy(): Plugin {
  return {
    name: 'latchscope:content-security-policy',
    apply: 'build',
    transformIndexHtml: () => [
      {
        tag: 'meta',
        attrs: { 'http-equiv': 'Content-Security-Policy', content: contentSecurityPolicy },
        injectTo: 'head-prepend',
      },
    ],
  };
}

export default defineConfig({
  root: 'web',
  // The page works below any path of a host.
  base: './',
  plugins: [
    react(),
    ...pageModules(import.meta.dirname),
    rescue(browserSource('offline/rescue.ts')),
    securityPolicy(),
    thirdPartyNotices(import.meta.dirname),
    embedding(browserSource('embedding/latchscope-run.ts')),
    offline(browserSource('offline/service-worker.ts')),
  ],
  // Scales of numbers do without colors, dates and texts.
  resolve: { alias: { 'd3-interpolate': pageSource('charts/number-interpolation.ts') } },
  // The engine's thread workers are modules that import the engine.
  worker: { format: 'es', plugins: () => [packagesOfWorkers()] },
  build: {
    outDir: '../dist',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    license: { fileName: BUNDLED_PACKAGES_FILE },
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: { index: pageSource('index.html'), embed: pageSource('embed.html') },
      // Everything that the first view of the page needs goes into one file, even if later views or
      // the embedded page share it: several smaller files compress worse.
      output: {
        codeSplitting: { groups: [{ name: 'page', tags: ['$initial'], test: isOfPage }] },
      },
    },
  },
  server: { host: '127.0.0.1', headers: { ...isolationHeaders, ...hardeningHeaders } },
});
