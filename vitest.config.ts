import path from 'node:path';

import { defineConfig } from 'vitest/config';

import { realServers } from './web/build/real-servers.ts';
import { scenarios } from './web/build/scenarios.ts';
import { sourceViews } from './web/build/source-views.ts';

const scenarios_folder = path.join(import.meta.dirname, 'scenarios');

export default defineConfig({
  plugins: [scenarios(scenarios_folder), realServers(scenarios_folder), sourceViews(import.meta.dirname)],
  test: {
    include: ['web/**/*.test.ts'],
    environment: 'node',
    // One worker for all files: starting one each takes longer than the tests, and too long on a busy machine.
    fileParallelism: false,
    isolate: false,
  },
});
