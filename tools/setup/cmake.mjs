// Finds or installs CMake and Ninja.
import { dirname, join } from 'node:path';
import { debianInstall } from './debian-packages.mjs';
import { writeLaunchers } from './launchers.mjs';
import { part } from './part.mjs';
import { describeRange, onPath, requireProgram } from './programs.mjs';
import { CMAKE, NINJA } from './versions.mjs';

const describe = (folder) => ({
  cmake: join(folder, 'cmake'),
  ctest: join(folder, 'ctest'),
  ninja: join(folder, 'ninja'),
});

const acceptedOnPath = (name, accepted) =>
  onPath([name], async (program) => {
    await requireProgram(program, { accepted });
    return program;
  }).get();

async function fromPath() {
  const cmake = await acceptedOnPath('cmake', CMAKE.accepted);
  const ctest = join(dirname(cmake), 'ctest');
  await requireProgram(ctest);
  return { cmake, ctest, ninja: await acceptedOnPath('ninja', NINJA.accepted) };
}

export const cmake = part({
  title: 'CMake and Ninja',
  folder: 'cmake-ninja',
  found: [{ name: 'PATH', get: fromPath }],
  installs: [
    debianInstall({
      title: 'CMake and Ninja',
      packages: ['cmake', 'ninja-build'],
      without: ['procps', 'tzdata', 'debconf', 'dpkg'],
      leaveOut: ['./etc'],
      describe: (directory) => describe(join(directory, 'bin')),
      finish: (directory) => writeLaunchers(directory, Object.values(describe('usr/bin'))),
    }),
  ],
  remedy: `install CMake ${describeRange(CMAKE.accepted)} and Ninja (packages cmake and ninja-build)`,
});
