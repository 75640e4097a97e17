import path from 'node:path';

import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

import { scenarios } from './web/build/scenarios.ts';
import { isolation_headers } from './web/offline/isolation-headers.ts';
import { offline } from './web/build/offline.ts';
import { contentSecurityPolicy } from './web/build/security-headers.ts';
import { sourceViews } from './web/build/source-views.ts';

const scenarios_folder = path.join(import.meta.dirname, 'scenarios');

const service_worker = path.join(import.meta.dirname, 'web/offline/service-worker.ts');

export default defineConfig({
  root: 'web',
  // The page works below any path of a host.
  base: './',
  plugins: [
    react(),
    scenarios(scenarios_folder),
    sourceViews(import.meta.dirname),
    contentSecurityPolicy(),
    offline(service_worker),
  ],
  // The engine's thread workers are modules that import the engine.
  worker: { format: 'es' },
  build: {
    outDir: '../dist',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { host: '127.0.0.1', headers: isolation_headers },
  preview: { host: '127.0.0.1', headers: isolation_headers },
});
