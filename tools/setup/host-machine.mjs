/** Facts about the host machine. */

import { existsSync, readFileSync } from 'node:fs';
import { NotHere } from './progress.mjs';

const MACHINES = {
  x64: { multiarch: 'x86_64-linux-gnu', loader: 'lib64/ld-linux-x86-64.so.2' },
  arm64: { multiarch: 'aarch64-linux-gnu', loader: 'lib/ld-linux-aarch64.so.1' },
};

/** Returns Debian's names for this architecture. Throws NotHere for an unsupported one. */
export function thisMachine() {
  const machine = MACHINES[process.arch];
  if (!machine) throw new NotHere(`packages are available for x64 and arm64, not for ${process.arch}`);
  return machine;
}

/** Returns the codename of the machine's release, such as 'bookworm', or null. */
export const hostRelease = () => osRelease('VERSION_CODENAME');

/** Returns the distribution, such as 'debian', or null. */
export const hostDistribution = () => osRelease('ID');

function osRelease(field) {
  if (!existsSync('/etc/os-release')) return null;
  const text = readFileSync('/etc/os-release', 'utf8');
  return new RegExp(`^${field}="?([\\w-]+)"?$`, 'm').exec(text)?.[1] ?? null;
}
