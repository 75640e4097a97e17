// The folders in build/. One process at a time builds in a checkout, and a folder that was made elsewhere is
// set up anew.
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

/** Empties build/. Call it only while holding the lock of this checkout. */
export function emptyBuildFolder(builds = BUILDS) {
  for (const name of readdirSync(builds)) {
    if (name !== LOCK) rmSync(join(builds, name), { recursive: true, force: true });
  }
}

/**
 * Removes a build folder that was set up in another place, or with other tools. CMake refuses the former and
 * silently reuses the latter.
 * @param {string} folder
 * @param {{ source: string, options: string[], programs: string[] }} setUp what the folder depends on, besides the sources
 * @returns {boolean} whether the folder was set up in this way before
 */
export function prepareBuildFolder(folder, { source, options, programs }) {
  const setUp = { folder, source, options, programs: programs.map(identityOf) };
  const stamp = join(folder, STAMP);
  const text = `${JSON.stringify(setUp, null, 2)}\n`;
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === text) return true;
  if (existsSync(folder)) {
    say(`${folder} was set up in another place or with other tools: it is set up anew`);
    rmSync(folder, { recursive: true });
  }
  mkdirSync(folder, { recursive: true });
  writeWhole(stamp, text);
  return false;
}

/**
 * @param {string} folder
 * @returns {string} changes when the folder is set up in another way, or when one of the programs that build it is replaced
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

/** A value that changes when a program is replaced, even by one of the same name. */
function identityOf(program) {
  const place = realpathSync(program);
  return { program: place, modified_ms: statSync(place).mtimeMs };
}
