/** What the machine is. */

import { existsSync, readFileSync } from 'node:fs';
import { NotHere } from './choices.mjs';
import { which } from './commands.mjs';

const MACHINES = {
  x64: { multiarch: 'x86_64-linux-gnu', loader: 'lib64/ld-linux-x86-64.so.2' },
  arm64: { multiarch: 'aarch64-linux-gnu', loader: 'lib/ld-linux-aarch64.so.1' },
};

/**
 * @returns {{ multiarch: string, loader: string }} Debian's names for this kind of machine
 */
export function thisMachine() {
  const machine = MACHINES[process.arch];
  if (!machine) throw new NotHere(`packages are unpacked on x64 and arm64 only, this is ${process.arch}`);
  return machine;
}

/**
 * @returns {string | null} the codename of the machine's release, such as 'bookworm'
 */
export function hostRelease() {
  return osRelease('VERSION_CODENAME');
}

/**
 * @returns {string | null} such as 'debian'
 */
export function hostDistribution() {
  return osRelease('ID');
}

function osRelease(field) {
  if (!existsSync('/etc/os-release')) return null;
  const text = readFileSync('/etc/os-release', 'utf8');
  return new RegExp(`^${field}="?([\\w-]+)"?$`, 'm').exec(text)?.[1] ?? null;
}

/** Throws NotHere where there is no Debian package management. */
export function requireApt() {
  const missing = ['apt-get', 'apt-config', 'dpkg', 'dpkg-deb', 'tar'].filter((name) => !which([name]));
  if (missing.length > 0) throw new NotHere(`${missing.join(', ')} not found on PATH`);
}
