/**
 * ccache stores compiled objects, so a fresh clone or a reverted change compiles only new code. It
 * is optional: without it, builds compile everything.
 */

import { join } from 'node:path';
import { cacheRoot } from './cache.mjs';
import { debianInstall } from './debian-packages.mjs';
import { writeLaunchers } from './launchers.mjs';
import { part } from './part.mjs';
import { describeRange, onPath, requireProgram } from './programs.mjs';
import { NotHere } from './progress.mjs';
import { CCACHE } from './versions.mjs';

async function describeFound(ccache) {
  await requireProgram(ccache, CCACHE);
  return { ccache };
}

export const compilerCache = part({
  title: 'ccache',
  folder: 'ccache',
  found: [onPath(['ccache'], describeFound)],
  installs: [
    debianInstall({
      title: 'ccache',
      packages: ['ccache'],
      leaveOut: ['./etc'],
      describe: (directory) => ({ ccache: join(directory, 'bin', 'ccache') }),
      finish: (directory) => writeLaunchers(directory, ['usr/bin/ccache']),
    }),
  ],
  remedy: `install ccache ${describeRange(CCACHE.accepted)}`,
});

/** Returns the path of ccache on the machine or in the cache, or null. Installs nothing. */
export async function findCompilerCache() {
  for (const { get, installs } of compilerCache.ways) {
    if (installs) continue;
    const found = await get().catch((error) => {
      if (error instanceof NotHere) return null;
      throw error;
    });
    if (found !== null) return found.ccache;
  }
  return null;
}

/**
 * Returns environment variables with which another checkout reuses what this one compiled.
 * @param {string} repository
 */
export const compilerCacheVariables = (repository) => ({
  CCACHE_DIR: process.env.CCACHE_DIR ?? join(cacheRoot(), 'compiled'),
  CCACHE_MAXSIZE: process.env.CCACHE_MAXSIZE ?? '1G',
  CCACHE_BASEDIR: repository,
  CCACHE_NOHASHDIR: '1',
  // Scripts start the compilers in the cache, and a script stays the same when its compiler
  // changes.
  CCACHE_COMPILERCHECK: '%compiler% --version',
});
