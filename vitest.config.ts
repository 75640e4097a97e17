// Configures Vitest, which tests the page's modules and views.

import { defineConfig } from 'vitest/config';

import { pageModules } from './web/build/page-modules.ts';
import { WAIT_MS } from './web/contract/test-fixtures/wait-limit.ts';

/** Ends a hanging test: far longer than any test takes on a busy machine. */
const HANG_MS = 2_400_000;

export default defineConfig({
  plugins: pageModules(import.meta.dirname),
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
