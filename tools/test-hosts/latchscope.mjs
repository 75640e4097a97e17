// Runs the command line for tests, with files of their own.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';

import { repository } from '../processes.mjs';

/** Returns a function that writes a file for the tests of one module, and returns its path. */
export function filesOfTest(name) {
  const scratch = mkdtempSync(join(tmpdir(), `latchscope-${name}-`));
  after(() => rmSync(scratch, { recursive: true }));
  return function file(fileName, text) {
    const path = join(scratch, fileName);
    writeFileSync(path, text);
    return path;
  };
}

export function latchscope(args, input) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(repository, 'tools/cli.mjs'), 'latchscope', ...args],
    { encoding: 'utf8', input, maxBuffer: 2 ** 26 },
  );
  return { status, stdout, stderr: stderr.replace(/^\[setup\].*\n/gm, '') };
}

export function resultOf(args, input) {
  const { stdout, stderr } = latchscope(['run', ...args, '--json', '-'], input);
  assert.notEqual(stdout, '', stderr);
  return JSON.parse(stdout);
}
