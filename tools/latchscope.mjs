// The native command line: builds it if need be, then hands the arguments over.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { buildCommandLine, exitWith } from './build.mjs';

try {
  const folder = await buildCommandLine();
  const { status, error } = spawnSync(join(folder, 'latchscope'), process.argv.slice(2), {
    stdio: 'inherit',
  });
  if (error) throw error;
  process.exitCode = status ?? 1;
} catch (error) {
  exitWith(error);
}
