import {
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
import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { NotHere } from './choices.mjs';
import { holdingLock } from './lock.mjs';
import { SetupError } from './progress.mjs';

const STAMP = 'stamp.json';
const PACKAGE_DATABASE = '/var/lib/dpkg/status';

/**
 * The folder that outlives checkouts: everything installed goes below it.
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {string}
 */
export function cacheRoot(env = process.env) {
  if (env.LATCHSCOPE_CACHE) return resolve(env.LATCHSCOPE_CACHE);
  if (env.XDG_CACHE_HOME) return join(env.XDG_CACHE_HOME, 'latchscope');
  return join(env.HOME || homedir(), '.cache', 'latchscope');
}

/**
 * What a finished install offers.
 * @template T
 * @param {string} name folder below the cache root
 * @param {[recipe: string, describe: (directory: string) => T][]} recipes what may be in it, best first
 * @returns {T & { source: string }} throws NotHere when there is none
 */
export function findInstalled(name, recipes) {
  const directory = join(cacheRoot(), name);
  const present = readJson(join(directory, STAMP))?.recipe;
  if (!present) throw new NotHere(`${directory} is not there`);
  const [, describe] = recipes.find(([recipe]) => recipe === present) ?? [];
  if (!describe) throw new NotHere(`${directory} holds something else (${present})`);
  return { ...describe(directory), source: `the cache (${present})` };
}

/**
 * Installs into a folder of the cache, once: built beside it, stamped, then renamed into place. Of two runs
 * at the same time one builds and the other waits; an interrupted build leaves nothing that counts.
 * @template T
 * @param {string} name folder below the cache root
 * @param {string} recipe what is in it; raised when the way it is made changes
 * @param {(directory: string) => T} describe
 * @param {(directory: string) => Promise<object>} build fills the folder; its answer is kept in the stamp
 * @returns {Promise<T>}
 */
export async function install(name, recipe, describe, build) {
  const directory = join(cacheRoot(), name);
  const isThere = () => readJson(join(directory, STAMP))?.recipe === recipe;
  await withLock(name, async () => {
    if (isThere()) return;
    removePartials(directory);
    const partial = mkdtempSync(`${directory}.partial-`);
    try {
      const facts = await build(partial);
      writeFileSync(join(partial, STAMP), `${JSON.stringify({ recipe, facts }, null, 2)}\n`);
      replaceDirectory(directory, partial);
    } finally {
      removeIfPossible(partial);
    }
  });
  return describe(directory);
}

function replaceDirectory(directory, replacement) {
  const old = `${replacement}-old`;
  if (existsSync(directory)) renameSync(directory, old);
  renameSync(replacement, directory);
  removeIfPossible(old);
}

/**
 * Remembers the answer to a slow question about a program of this machine, until the program or the machine's
 * set of packages changes.
 * @template T
 * @param {string} topic
 * @param {string} program
 * @param {() => Promise<T>} ask
 * @param {string} [setting] what else the answer depends on
 * @returns {Promise<T>}
 */
export async function rememberAbout(topic, program, ask, setting = '') {
  const memory = join(cacheRoot(), 'remembered', `${topic}.json`);
  const packagesAsOf = modified(PACKAGE_DATABASE) ?? new Date().toDateString();
  const key = [program, modified(program), packagesAsOf, setting].join(' ');
  const known = readJson(memory);
  if (known?.key === key) return known.answer;
  const answer = await ask();
  writeWhole(memory, `${JSON.stringify({ key, answer }, null, 2)}\n`);
  return answer;
}

function modified(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs;
}

/**
 * Runs `work` while no other process of this cache runs work of the same name.
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(name, work) {
  const lock = join(cacheRoot(), `${name}.lock`);
  makeDirectory(dirname(lock));
  return holdingLock(lock, work);
}

function removePartials(directory) {
  const prefix = `${basename(directory)}.partial-`;
  for (const entry of readdirSync(dirname(directory))) {
    if (entry.startsWith(prefix)) removeIfPossible(join(dirname(directory), entry));
  }
}

/** What an orphan of an interrupted run still writes into stays, and goes next time. */
function removeIfPossible(path) {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch (error) {
    if (error.code !== 'ENOTEMPTY') throw error;
  }
}

function makeDirectory(directory) {
  try {
    mkdirSync(directory, { recursive: true });
  } catch (error) {
    throw new SetupError(
      `the cache folder ${directory} cannot be created (${error.code})`,
      'set LATCHSCOPE_CACHE to a folder you can write to',
    );
  }
}

function writeWhole(file, text) {
  makeDirectory(dirname(file));
  const partial = `${file}.${process.pid}`;
  writeFileSync(partial, text);
  renameSync(partial, file);
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}
