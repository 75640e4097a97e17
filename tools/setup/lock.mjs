import { lstatSync, readlinkSync, realpathSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { undoneIfInterrupted } from '../interruption.mjs';
import { say } from './progress.mjs';

const POLL_MS = 200;
const STALE_MS = 60 * 60 * 1000;

/**
 * Runs `work` while no other process holds the lock. The lock of a process that is gone is broken.
 * @template T
 * @param {string} lock path of the lock, in a folder that exists
 * @param {() => Promise<T>} work
 * @param {string} [what] is waited for, in messages
 * @returns {Promise<T>}
 */
export async function holdingLock(lock, work, what = 'another run of the set-up') {
  for (let waited = false; !tryLock(lock); waited = true) {
    const owner = ownerOf(lock);
    if (owner !== null && isAbandoned(lock, owner)) breakLock(lock, owner);
    else if (!waited) say(`waiting for ${what} (${lock}, held by ${owner ?? 'nobody any more'})`);
    await sleep(POLL_MS);
  }
  const release = () => rmSync(lock, { force: true });
  try {
    return await undoneIfInterrupted(release, work);
  } finally {
    release();
  }
}

/** A symbolic link to nowhere that names its owner: made at once and whole, or not at all. */
function tryLock(lock) {
  try {
    symlinkSync(`${process.pid}@${hostname()}@${placeOf(lock)}`, lock);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Locks tell where they are: one that was copied, with the folder that it is in, is nobody's. */
const placeOf = (lock) => join(realpathSync(dirname(lock)), basename(lock));

function ownerOf(lock) {
  try {
    return readlinkSync(lock);
  } catch {
    return null;
  }
}

function isAbandoned(lock, owner) {
  const [pid, host, ...place] = owner.split('@');
  const isHere = place.join('@') === placeOf(lock);
  if (host === hostname() && (!isHere || !isAlive(Number(pid)))) return true;
  const { mtimeMs = Date.now() } = lstatSync(lock, { throwIfNoEntry: false }) ?? {};
  return Date.now() - mtimeMs > STALE_MS;
}

/** Another run may break the same lock and take it in between: then it is given back. */
function breakLock(lock, owner) {
  const aside = `${lock}.${process.pid}`;
  try {
    renameSync(lock, aside);
  } catch {
    return;
  }
  if (ownerOf(aside) === owner) rmSync(aside);
  else renameSync(aside, lock);
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}
