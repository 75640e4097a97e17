import path from 'node:path';

import { defineConfig } from 'vitest/config';

import { labExercises } from './web/build/lab-exercises.ts';
import { labLatches } from './web/build/lab-latches.ts';
import { labNames } from './web/build/lab-names.ts';
import { realServers } from './web/build/real-servers.ts';
import { latchHelp } from './web/build/latch-help.ts';
import { scenarios } from './web/build/scenarios.ts';
import { sourceViews } from './web/build/source-views.ts';
import { WAIT_MS } from './web/contract/test-fixtures/wait-limit.ts';

/** Ends a test that hangs: far longer than any test takes on a busy machine. */
const HANG_MS = 2_400_000;

const scenarios_folder = path.join(import.meta.dirname, 'scenarios');

export default defineConfig({
  plugins: [
    scenarios(scenarios_folder),
    realServers(scenarios_folder),
    sourceViews(import.meta.dirname),
    latchHelp(path.join(import.meta.dirname, 'docs/reference/latch-language.md')),
    labExercises(),
    labLatches(),
    labNames(),
  ],
  test: {
    // One worker for all files: starting one each takes longer than the tests, and too long on a busy machine.
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
        // Views and charts, in a document without a browser and without layout.
        extends: true,
        test: {
          name: 'views',
          include: ['web/**/*.test.tsx'],
          environment: 'happy-dom',
          // Of a document in which something was not found, the beginning.
          env: { DEBUG_PRINT_LIMIT: '1500' },
          setupFiles: ['web/widgets/test-fixtures/document.ts'],
        },
      },
    ],
  },
});
