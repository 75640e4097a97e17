// Finds or installs the C++ libraries that the engine and its tests include.
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { debianInstall } from './debian-packages.mjs';
import { clonePinned } from './downloads.mjs';
import { part } from './part.mjs';
import { CPP_LIBRARIES } from './versions.mjs';

const PINS = Object.values(CPP_LIBRARIES);

/** Only headers and sources are needed: the toolchains provide compilers and run-time libraries. */
const NOT_NEEDED = ['libc6', 'libc6-dev', 'libstdc++6', 'libgcc-s1', 'python3', 'dpkg', 'debconf'];

const describe = (directory) => ({
  googletestSource: join(directory, 'googletest'),
  jsonInclude: join(directory, 'include', 'json'),
  cli11Include: join(directory, 'include', 'cli11'),
});

/**
 * Keeps one include folder for each library: a shared folder would expose the machine's headers to
 * WebAssembly builds.
 */
function keepOnly(directory, placeOf) {
  for (const pin of PINS) {
    const kept = join(directory, pin.kept);
    mkdirSync(dirname(kept), { recursive: true });
    renameSync(join(directory, placeOf(pin)), kept);
  }
  rmSync(join(directory, 'root'), { recursive: true });
}

async function clone(directory) {
  const placeOf = ({ tag }) => join('root', tag);
  for (const pin of PINS) await clonePinned(pin, join(directory, placeOf(pin)));
  keepOnly(directory, (pin) => join(placeOf(pin), pin.inRepository));
  return {};
}

/** The libraries that the engine and its tests include. */
export const cppLibraries = part({
  title: 'the C++ libraries',
  folder: 'cpp-libraries',
  installs: [
    {
      name: 'git clones from the internet',
      recipe: `git ${PINS.map(({ tag }) => tag).join(' ')}`,
      describe,
      build: clone,
    },
    debianInstall({
      title: 'C++ libraries',
      packages: PINS.map(({ debianPackage }) => debianPackage),
      without: NOT_NEEDED,
      describe,
      finish: (directory) => keepOnly(directory, ({ inPackage }) => join('root/usr', inPackage)),
    }),
  ],
  remedy:
    `make ${PINS.map(({ repository }) => repository).join(', ')} reachable by git, or run on Debian ` +
    'with a working apt-get',
});
