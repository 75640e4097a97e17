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
import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { writeWhole } from '../files.mjs';
import { undoneIfInterrupted } from '../interruption.mjs';
import { NotHere } from './choices.mjs';
import { holdingLock } from './lock.mjs';
import { NotWritable } from './progress.mjs';
import { requireTrusted } from './trust.mjs';

const STAMP = 'stamp.json';
const PRIVATE = 0o700;
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
  const present = recipeOf(directory);
  if (!present) throw new NotHere(`${directory} is not there`);
  const [, describe] = recipes.find(([recipe]) => recipe === present) ?? [];
  if (!describe) throw new NotHere(`${directory} holds something else (${present})`);
  const found = describe(directory);
  for (const path of Object.values(found)) if (isBelow(directory, path)) requireTrusted(path, cacheRoot());
  return { ...found, source: `the cache (${present})` };
}

/** Of what is in a folder of the cache, if that can be trusted. */
function recipeOf(directory) {
  requireTrusted(join(directory, STAMP), cacheRoot());
  return readJson(join(directory, STAMP))?.recipe;
}

const isBelow = (directory, path) => typeof path === 'string' && path.startsWith(`${directory}/`);

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
  await withLock(name, async () => {
    if (recipeOf(directory) === recipe) return;
    removePartials(directory);
    const partial = mkdtempSync(`${directory}.partial-`);
    const remove = () => removeIfPossible(partial);
    try {
      const facts = await undoneIfInterrupted(remove, () => build(partial));
      writeFileSync(join(partial, STAMP), `${JSON.stringify({ recipe, facts }, null, 2)}\n`);
      replaceDirectory(directory, partial);
    } finally {
      remove();
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
  requireTrusted(memory, cacheRoot());
  const packagesAsOf = modified(PACKAGE_DATABASE) ?? new Date().toDateString();
  const key = [program, modified(program), packagesAsOf, setting].join(' ');
  const known = readJson(memory);
  if (known?.key === key) return known.answer;
  const answer = await ask();
  remember(memory, { key, answer });
  return answer;
}

/** In a cache that cannot be written, the question is asked each time. */
function remember(memory, fact) {
  try {
    mkdirSync(dirname(memory), { recursive: true, mode: PRIVATE });
    writeWhole(memory, `${JSON.stringify(fact, null, 2)}\n`);
  } catch (error) {
    if (error.syscall === undefined) throw error;
  }
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
  const root = cacheRoot();
  makeWritable(root);
  requireTrusted(root);
  return holdingLock(join(root, `${name}.lock`), work);
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

function makeWritable(directory) {
  try {
    mkdirSync(directory, { recursive: true, mode: PRIVATE });
    accessSync(directory, constants.W_OK);
  } catch (error) {
    throw new NotWritable(
      `the cache folder ${directory} cannot be written (${error.code})`,
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
