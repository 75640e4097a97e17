/** Gives tests a temporary folder with its own cache, so that they never touch the real one. */

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach } from 'node:test';

/**
 * Creates a folder for each test of a file, and restores the environment afterwards. `at` returns
 * paths in the folder.
 */
export function useScratch() {
  const environment = { ...process.env };
  let folder;
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'latchscope-setup-')));
    process.env.LATCHSCOPE_CACHE = join(folder, 'cache');
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
    for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
    Object.assign(process.env, environment);
  });
  const at = (...names) => join(folder, ...names);
  return { at, write: (path, text = '', mode = 0o644) => writeAt(at(path), text, mode) };
}

function writeAt(path, text, mode) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, { mode });
}
