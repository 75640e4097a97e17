import path from 'node:path';

import { defineConfig } from 'vitest/config';

import { scenarios } from './web/build/scenarios.ts';
import { sourceViews } from './web/build/source-views.ts';

export default defineConfig({
  plugins: [scenarios(path.join(import.meta.dirname, 'scenarios')), sourceViews(import.meta.dirname)],
  test: {
    include: ['web/**/*.test.ts'],
    environment: 'node',
    // One worker for all files: starting one each takes longer than the tests, and too long on a busy machine.
    fileParallelism: false,
    isolate: false,
  },
});
