import { dirname, join } from 'node:path';
import { findInstalled, install, rememberAbout } from './cache.mjs';
import { firstThatWorks, NotHere } from './choices.mjs';
import { isExecutableFile, run, which } from './commands.mjs';
import { debianRecipe, unpackDebianPackages } from './debian-packages.mjs';
import { prepareLaunchers, verifyLaunchers, writeLauncher } from './relocated-programs.mjs';
import { describeRange, findVersion, isAccepted } from './version-numbers.mjs';
import { CMAKE, NINJA } from './versions.mjs';

const INSTALL = 'cmake-ninja';
const RECIPE = debianRecipe(1);
const NOT_NEEDED = ['procps', 'tzdata', 'debconf', 'dpkg'];
const REMEDY = `install CMake ${describeRange(CMAKE.accepted)} and Ninja (packages cmake and ninja-build)`;

/**
 * @typedef {object} CMake
 * @property {string} cmake
 * @property {string} ctest
 * @property {string} ninja
 * @property {string} source
 */

/**
 * Finds CMake, CTest and Ninja, or installs them into the cache.
 * @returns {Promise<CMake>}
 */
export function ensureCMake() {
  return firstThatWorks('CMake and Ninja', cmakeWays(), REMEDY);
}

/**
 * The ways of getting CMake and Ninja, in order.
 * @returns {{ name: string, installs?: boolean, get: () => Promise<CMake> }[]}
 */
export function cmakeWays() {
  return [
    { name: 'PATH', get: fromPath },
    { name: 'the cache', get: fromCache },
    { name: 'Debian packages', installs: true, get: fromDebianPackages },
  ];
}

async function fromPath() {
  const cmake = await acceptedProgram('cmake', CMAKE.accepted);
  const ninja = await acceptedProgram('ninja', NINJA.accepted);
  const ctest = join(dirname(cmake), 'ctest');
  if (!isExecutableFile(ctest)) throw new NotHere(`${ctest} does not exist`);
  return { cmake, ctest, ninja };
}

async function acceptedProgram(name, accepted) {
  const program = which([name]);
  if (!program) throw new NotHere(`${name} not found on PATH`);
  const version = await rememberAbout(name, program, async () =>
    findVersion((await run(program, ['--version'])).stdout),
  );
  if (!isAccepted(version, accepted)) {
    throw new NotHere(`${program} is version ${version}, wanted is ${describeRange(accepted)}`);
  }
  return program;
}

async function fromCache() {
  return findInstalled(INSTALL, [[RECIPE, describe]]);
}

async function fromDebianPackages() {
  return install(INSTALL, RECIPE, describe, async (partial) => {
    const facts = await unpackDebianPackages(partial, {
      title: 'CMake and Ninja from Debian packages',
      packages: ['cmake', 'ninja-build'],
      without: NOT_NEEDED,
      leaveOut: ['./etc'],
    });
    prepareLaunchers(partial);
    for (const name of ['cmake', 'ctest', 'ninja']) writeLauncher(partial, join('usr', 'bin', name));
    await verifyLaunchers(partial);
    return facts;
  });
}

function describe(directory) {
  const program = (name) => join(directory, 'bin', name);
  return { cmake: program('cmake'), ctest: program('ctest'), ninja: program('ninja') };
}
