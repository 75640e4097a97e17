// Configures Vitest, which tests the page's modules and views.
import path from 'node:path';

import { defineConfig } from 'vitest/config';

import { labModules } from './web/build/lab-modules.ts';
import { realServers } from './web/build/real-servers.ts';
import { scenarios } from './web/build/scenarios.ts';
import { sourceViews } from './web/build/source-views.ts';
import { stages } from './web/build/stages.ts';
import { WAIT_MS } from './web/contract/test-fixtures/wait-limit.ts';

/** Ends a hanging test: far longer than any test takes on a busy machine. */
const HANG_MS = 2_400_000;

const scenariosFolder = path.join(import.meta.dirname, 'scenarios');

export default defineConfig({
  plugins: [
    scenarios(scenariosFolder),
    realServers(scenariosFolder),
    sourceViews(import.meta.dirname),
    stages(import.meta.dirname),
    labModules(),
  ],
  test: {
    // One worker for all files: a worker for each file takes longer to start than its tests.
    fileParallelism: false,
    isolate: false,
    testTimeout: HANG_MS,
    hookTimeout: HANG_MS,
    expect: { poll: { timeout: WAIT_MS } },
    projects: [
      {
        extends: true,
        test: {
          name: 'modules',
          include: ['web/**/*.test.ts'],
          environment: 'node',
          setupFiles: ['web/charts/test-fixtures/frames.ts'],
        },
      },
      {
        // Views and charts run in a simulated document without layout.
        extends: true,
        test: {
          name: 'views',
          include: ['web/**/*.test.tsx'],
          environment: 'happy-dom',
          // Limits how much of the document a failed query prints.
          env: { DEBUG_PRINT_LIMIT: '1500' },
          setupFiles: ['web/widgets/test-fixtures/document.ts'],
        },
      },
    ],
  },
});
