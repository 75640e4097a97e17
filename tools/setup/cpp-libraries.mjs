import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { findInstalled, install } from './cache.mjs';
import { firstThatWorks } from './choices.mjs';
import { debianRecipe, unpackDebianPackages } from './debian-packages.mjs';
import { clonePinned } from './git-sources.mjs';
import { CPP_LIBRARIES } from './versions.mjs';

const INSTALL = 'cpp-libraries';
const PINS = Object.values(CPP_LIBRARIES);
const GIT_RECIPE = `git ${PINS.map(({ tag }) => tag).join(' ')}`;
const DEBIAN_RECIPE = debianRecipe(1);
const REMEDY =
  `make ${PINS.map(({ repository }) => repository).join(', ')} reachable for git, or run on Debian ` +
  'with a working apt-get';

/** Headers and sources only: compilers and run-time libraries come from the toolchains. */
const NOT_NEEDED = ['libc6', 'libc6-dev', 'libstdc++6', 'libgcc-s1', 'python3', 'dpkg', 'debconf'];

/**
 * @typedef {object} CppLibraries
 * @property {string} googletestSource for add_subdirectory
 * @property {string} jsonInclude holds nlohmann/ and nothing else
 * @property {string} cli11Include holds CLI/ and nothing else
 * @property {string} source where they came from, in words
 */

/**
 * Finds the C++ libraries the engine and its tests include, or installs them into the cache.
 * @returns {Promise<CppLibraries>}
 */
export function ensureCppLibraries() {
  return firstThatWorks('the C++ libraries', cppLibraryWays(), REMEDY);
}

/**
 * The ways of getting the libraries, in order.
 * @returns {{ name: string, installs?: boolean, get: () => Promise<CppLibraries> }[]}
 */
export function cppLibraryWays() {
  return [
    { name: 'the cache', get: fromCache },
    { name: 'git clones from the internet', installs: true, get: fromGit },
    { name: 'Debian packages', installs: true, get: fromDebianPackages },
  ];
}

async function fromCache() {
  return findInstalled(INSTALL, [
    [GIT_RECIPE, describe],
    [DEBIAN_RECIPE, describe],
  ]);
}

async function fromGit() {
  return install(INSTALL, GIT_RECIPE, describe, async (partial) => {
    const clones = join(partial, 'clones');
    for (const [name, pin] of Object.entries(CPP_LIBRARIES)) await clonePinned(pin, join(clones, name));
    keepOnly(partial, clones, {
      googletest: 'googletest',
      json: 'json/include/nlohmann',
      cli11: 'cli11/include/CLI',
    });
    return {};
  });
}

async function fromDebianPackages() {
  return install(INSTALL, DEBIAN_RECIPE, describe, async (partial) => {
    const facts = await unpackDebianPackages(partial, {
      title: 'C++ libraries from Debian packages',
      packages: PINS.map(({ debianPackage }) => debianPackage),
      without: NOT_NEEDED,
    });
    keepOnly(partial, join(partial, 'root', 'usr'), {
      googletest: 'src/googletest',
      json: 'include/nlohmann',
      cli11: 'include/CLI',
    });
    return facts;
  });
}

/** One include folder per library: a folder shared with others would leak the machine's headers into wasm. */
function keepOnly(directory, from, { googletest, json, cli11 }) {
  mkdirSync(join(directory, 'include', 'json'), { recursive: true });
  mkdirSync(join(directory, 'include', 'cli11'));
  renameSync(join(from, googletest), join(directory, 'googletest'));
  renameSync(join(from, json), join(directory, 'include', 'json', 'nlohmann'));
  renameSync(join(from, cli11), join(directory, 'include', 'cli11', 'CLI'));
  for (const name of ['clones', 'root']) rmSync(join(directory, name), { recursive: true, force: true });
}

function describe(directory) {
  return {
    googletestSource: join(directory, 'googletest'),
    jsonInclude: join(directory, 'include', 'json'),
    cli11Include: join(directory, 'include', 'cli11'),
  };
}
