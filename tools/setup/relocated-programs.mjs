/**
 * Programs of unpacked Debian packages, made runnable from where they lie: each gets a small launcher that
 * starts it with the loader and the libraries it was built with, whatever the machine itself has. Launchers
 * find their programs by their own place, so a finished folder can be moved.
 *
 *   <directory>/root/            the unpacked packages
 *   <directory>/bin/             the launchers
 *   <directory>/lib, share       -> root/usr/..., where programs look for their own files beside bin/
 */

import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isExecutableFile, run } from './commands.mjs';
import { thisMachine } from './host-machine.mjs';

/**
 * Makes the folders around an unpacked root.
 * @param {string} directory
 */
export function prepareLaunchers(directory) {
  mkdirSync(join(directory, 'bin'));
  for (const folder of ['lib', 'share']) symlinkSync(join('root', 'usr', folder), join(directory, folder));
}

/**
 * Makes one program of the root runnable.
 * @param {string} directory
 * @param {string} program path below root
 * @param {{ name?: string, first?: string }} [options] name: of the launcher; first: shell code to run before
 */
export function writeLauncher(directory, program, { name = basename(program), first = '' } = {}) {
  const { loader, multiarch } = thisMachine();
  const script = `#!/bin/sh
root="\${0%/*}/../root"
${first}exec "$root/${loader}" --inhibit-cache --library-path "$root/usr/lib/${multiarch}" \\
  --argv0 "$0" "$root/${program}" "$@"
`;
  writeFileSync(join(directory, 'bin', name), script, { mode: 0o755 });
}

/**
 * Starts every program once, so that a library missing from the packages shows at once.
 * @param {string} directory
 */
export async function verifyLaunchers(directory) {
  const launchers = readdirSync(join(directory, 'bin')).map((name) => join(directory, 'bin', name));
  for (const launcher of launchers.filter(isExecutableFile)) await run(launcher, ['--version']);
}
