// The cache folder into which the set-up installs tools, shared by all checkouts of a user.
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { writeWhole } from '../files.mjs';
import { undoneIfInterrupted } from '../interruption.mjs';
import { usageError } from '../command-line.mjs';
import { holdingLock } from './lock.mjs';
import { NotHere, NotWritable } from './progress.mjs';
import { requireTrusted } from './trust.mjs';

const STAMP = 'stamp.json';
const LOCKS = 'locks';
const PRIVATE = 0o700;
const PACKAGE_DATABASE = '/var/lib/dpkg/status';

/**
 * Returns the cache folder. It never depends on the current folder: a relative $XDG_CACHE_HOME is
 * ignored, as the XDG specification requires. Without an absolute $HOME the user database supplies
 * the home folder. Throws a UsageError if LATCHSCOPE_CACHE is not absolute.
 */
export function cacheRoot(env = process.env) {
  const { LATCHSCOPE_CACHE: own, XDG_CACHE_HOME: xdg = '', HOME: home = '' } = env;
  if (own) {
    if (!isAbsolute(own)) throw usageError('LATCHSCOPE_CACHE', own, 'an absolute path');
    return resolve(own);
  }
  if (isAbsolute(xdg)) return join(xdg, 'latchscope');
  return join(isAbsolute(home) ? home : userInfo().homedir, '.cache', 'latchscope');
}

/**
 * Returns the description of a finished install, plus its `source` in words. Throws NotHere if
 * there is none.
 * @param {string} name folder below the cache root
 * @param {[recipe: string, describe: (directory: string, facts: object) => object][]} recipes the
 *   accepted recipes
 */
export function findInstalled(name, recipes) {
  const directory = join(cacheRoot(), name);
  const stamp = stampOf(directory);
  if (!stamp) throw new NotHere(`${directory} does not exist`);
  const [, describe] = recipes.find(([recipe]) => recipe === stamp.recipe) ?? [];
  if (!describe) throw new NotHere(`${directory} contains another version (${stamp.recipe})`);
  const found = describe(directory, stamp.facts);
  const isInstalled = (value) => typeof value === 'string' && value.startsWith(`${directory}/`);
  for (const path of Object.values(found).filter(isInstalled)) requireTrusted(path, cacheRoot());
  return { ...found, source: `the cache (${stamp.recipe})` };
}

/** Returns the stamp of a folder of the cache, or null. Throws if the folder cannot be trusted. */
function stampOf(directory) {
  requireTrusted(join(directory, STAMP), cacheRoot());
  const stamp = readJson(join(directory, STAMP));
  return stamp?.recipe ? stamp : null;
}

/**
 * Installs into a folder of the cache, once. It builds in a temporary folder, stamps it, then
 * renames it into place. Concurrent runs wait for the building run. An interrupted build leaves
 * nothing that counts as installed.
 * @param {string} name folder below the cache root
 * @param {Omit<import('./part.mjs').Install, 'name'>} how
 * @returns {Promise<object>} the result of `findInstalled`
 */
export async function install(name, { recipe, describe, build }) {
  await withLock(name, async () => {
    const directory = join(cacheRoot(), name);
    if (stampOf(directory)?.recipe === recipe) return;
    const partials = readdirSync(cacheRoot()).filter((entry) => entry.startsWith(`${name}.partial-`));
    for (const partial of partials) removeIfPossible(join(cacheRoot(), partial));
    const partial = mkdtempSync(`${directory}.partial-`);
    const remove = () => removeIfPossible(partial);
    try {
      const facts = await undoneIfInterrupted(remove, () => build(partial));
      writeFileSync(join(partial, STAMP), `${JSON.stringify({ recipe, facts }, null, 2)}\n`);
      if (existsSync(directory)) renameSync(directory, `${partial}-old`);
      renameSync(partial, directory);
      removeIfPossible(`${partial}-old`);
    } finally {
      remove();
    }
  });
  return findInstalled(name, [[recipe, describe]]);
}

/** If an orphan of an interrupted run still writes into the folder, the next run removes it. */
function removeIfPossible(path) {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch (error) {
    if (error.code !== 'ENOTEMPTY') throw error;
  }
}

/**
 * Caches the result of a slow check of a program until the program, the machine's packages or
 * `setting` change. If the cache is not writable, the check runs each time.
 */
export async function rememberAbout(program, ask, setting = '') {
  const memory = join(cacheRoot(), 'remembered', `${program.replaceAll('/', '+')}.json`);
  requireTrusted(memory, cacheRoot());
  const packagesAsOf = modified(PACKAGE_DATABASE) ?? new Date().toDateString();
  const key = [program, modified(program), packagesAsOf, setting].join(' ');
  const known = readJson(memory);
  if (known?.key === key) return known.answer;
  const answer = await ask();
  try {
    mkdirSync(dirname(memory), { recursive: true, mode: PRIVATE });
    writeWhole(memory, `${JSON.stringify({ key, answer }, null, 2)}\n`);
  } catch (error) {
    if (error.syscall === undefined) throw error;
  }
  return answer;
}

const modified = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs;

/** Runs `work` while no other process that uses this cache runs work of the same name. */
export async function withLock(name, work) {
  makeWritable(cacheRoot());
  requireTrusted(cacheRoot());
  mkdirSync(join(cacheRoot(), LOCKS), { recursive: true, mode: PRIVATE });
  return holdingLock(join(cacheRoot(), LOCKS, name), work);
}

function makeWritable(directory) {
  try {
    mkdirSync(directory, { recursive: true, mode: PRIVATE });
    accessSync(directory, constants.W_OK);
  } catch (error) {
    throw new NotWritable(
      `the cache folder ${directory} is not writable (${error.code})`,
      'set LATCHSCOPE_CACHE to a folder that you can write to',
    );
  }
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}
