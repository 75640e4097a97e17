import path from 'node:path';

import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

import { scenarios } from './web/build/scenarios.ts';
import { contentSecurityPolicy, isolation_headers } from './web/build/security-headers.ts';

const scenarios_folder = path.join(import.meta.dirname, 'scenarios');

export default defineConfig({
  root: 'web',
  plugins: [react(), scenarios(scenarios_folder), contentSecurityPolicy()],
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
