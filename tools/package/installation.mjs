// Installs the npm package from its tarball for tests, as its users do.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';

import { repository } from '../processes.mjs';

const [name] = readdirSync(join(repository, 'release')).filter((one) => one.endsWith('.tgz'));

export const tarball = join(repository, 'release', name);
export const npmFolder = join(execFileSync('npm', ['root', '-g'], { encoding: 'utf8' }).trim(), 'npm/bin');

/** A temporary folder, removed after the tests of the file. */
export const folder = mkdtempSync(join(tmpdir(), 'latchscope-package-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/**
 * Installs packages of npm into a folder of their own.
 * @param {string} into the name of the folder
 * @param {string[]} packages
 * @param {string[]} [options]
 * @returns {string | null} the folder; null if npm cannot install them
 */
export function installed(into, packages, options = []) {
  const place = join(folder, into);
  mkdirSync(place);
  const args = [join(npmFolder, 'npm-cli.js'), 'install', '--no-audit', '--no-fund', '--ignore-scripts'];
  const run = spawnSync(process.execPath, [...args, '--prefix', place, ...options, ...packages], {
    cwd: place,
    encoding: 'utf8',
  });
  return run.status === 0 ? place : null;
}
