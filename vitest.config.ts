import path from 'node:path';

import { defineConfig } from 'vitest/config';

import { scenarios } from './web/build/scenarios.ts';

export default defineConfig({
  plugins: [scenarios(path.join(import.meta.dirname, 'scenarios'))],
  test: {
    include: ['web/**/*.test.ts'],
    environment: 'node',
    // One worker for all files: starting one each takes longer than the tests, and too long on a busy machine.
    fileParallelism: false,
    isolate: false,
  },
});
