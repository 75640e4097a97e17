// Manages the folders in build/. Only one process at a time builds in a checkout. A folder that was
// configured in another checkout is configured again.
import { AsyncLocalStorage } from 'node:async_hooks';
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { writeWhole } from './files.mjs';
import { repository } from './processes.mjs';
import { holdingLock } from './setup/lock.mjs';
import { say } from './setup/progress.mjs';

const BUILDS = join(repository, 'build');
const LOCK = '.flock';
const STAMP = 'latchscope-set-up.json';
const NOT_AS_SET_UP = 'not as it was set up';

const alone = new AsyncLocalStorage();

/**
 * Runs `work` while no other process builds in this checkout. Nested calls are allowed.
 * @template T
 * @param {() => Promise<T>} work
 * @param {string} [builds]
 * @returns {Promise<T>}
 */
export function buildAlone(work, builds = BUILDS) {
  if (alone.getStore()) return work();
  mkdirSync(builds, { recursive: true });
  return holdingLock(join(builds, LOCK), () => alone.run(true, work), 'another build in this checkout');
}

/**
 * Empties build/.
 *
 * REQUIRES: The caller holds the build lock of this checkout.
 */
export function emptyBuildFolder(builds = BUILDS) {
  for (const name of readdirSync(builds)) {
    if (name !== LOCK) rmSync(join(builds, name), { recursive: true, force: true });
  }
}

/**
 * Removes a build folder that was configured in another place or with other tools. CMake would
 * refuse the former and silently reuse the latter.
 * @param {string} folder
 * @param {{ source: string, options: string[], programs: string[] }} setUp everything the folder
 *   depends on except the sources
 * @returns {boolean} whether the folder was already configured in this way
 */
export function prepareBuildFolder(folder, { source, options, programs }) {
  const setUp = { folder, source, options, programs: programs.map(identityOf) };
  const stamp = join(folder, STAMP);
  const text = `${JSON.stringify(setUp, null, 2)}\n`;
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === text) return true;
  if (existsSync(folder)) {
    say(`${folder} was configured in another place or with other tools; configuring it again`);
    rmSync(folder, { recursive: true });
  }
  mkdirSync(folder, { recursive: true });
  writeWhole(stamp, text);
  return false;
}

/**
 * Returns a string that changes when the folder is configured differently, or when one of the
 * programs that build it is replaced.
 * @param {string} folder
 * @returns {string}
 */
export function digestOfSetUp(folder) {
  try {
    const setUp = JSON.parse(readFileSync(join(folder, STAMP), 'utf8'));
    const isAsBefore = setUp.programs.every(
      ({ program, modified_ms }) => identityOf(program).modified_ms === modified_ms,
    );
    return isAsBefore && setUp.folder === folder ? JSON.stringify(setUp) : NOT_AS_SET_UP;
  } catch {
    return NOT_AS_SET_UP;
  }
}

/** Returns a value that changes when a program is replaced, even by one of the same name. */
function identityOf(program) {
  const place = realpathSync(program);
  return { program: place, modified_ms: statSync(place).mtimeMs };
}
