import { lstatSync, readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { say } from './progress.mjs';

const POLL_MS = 200;
const STALE_MS = 60 * 60 * 1000;

/**
 * Runs `work` while no other process holds the lock. The lock of a process that is gone is broken.
 * @template T
 * @param {string} lock path of the lock, in a folder that exists
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function holdingLock(lock, work) {
  await takeLock(lock);
  try {
    return await work();
  } finally {
    rmSync(lock, { force: true });
  }
}

async function takeLock(lock) {
  for (let waited = false; !tryLock(lock); waited = true) {
    const owner = ownerOf(lock);
    if (owner && isAbandoned(lock, owner)) breakLock(lock, owner);
    else if (!waited) say(`waiting for another run of the set-up (${lock})`);
    await sleep(POLL_MS);
  }
}

/** A symbolic link to nowhere that names its owner: made at once and whole, or not at all. */
function tryLock(lock) {
  try {
    symlinkSync(`${process.pid}@${hostname()}`, lock);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

function ownerOf(lock) {
  try {
    return readlinkSync(lock);
  } catch {
    return null;
  }
}

function isAbandoned(lock, owner) {
  const [pid, host] = owner.split('@');
  if (host === hostname() && !isAlive(Number(pid))) return true;
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
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
