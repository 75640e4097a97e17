// Locks between processes, held by flock(1).
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { undoneIfInterrupted } from '../interruption.mjs';
import { NotHere, SetupError, say } from './progress.mjs';

/**
 * Runs `work` while no other process holds the lock. Throws NotHere if flock is missing.
 * @template T
 * @param {string} lock a file; it is created and never removed
 * @param {() => Promise<T>} work
 * @param {string} [what] the holder of the lock, for the message that this process waits
 * @returns {Promise<T>}
 */
export async function holdingLock(lock, work, what = 'another run of the set-up') {
  closeSync(openSync(lock, 'a'));
  let release = await take('--nonblock', lock);
  if (release === null) {
    say(`waiting for ${what} (${lock})`);
    release = await take('--exclusive', lock);
  }
  if (release === null) throw new SetupError(`flock could not lock ${lock}`);
  try {
    return await work();
  } finally {
    await release();
  }
}

/**
 * Starts a program that holds the lock until its standard input closes, so the lock is released
 * however this process ends. The program has its own process group: Ctrl-C must not end it before
 * half-written files are removed.
 */
async function take(option, lock) {
  const holder = spawn('flock', [option, lock, 'sh', '-c', 'echo held; exec cat'], {
    stdio: ['pipe', 'pipe', 'ignore'],
    detached: true,
  });
  const ended = once(holder, 'exit').catch(({ code }) => {
    throw new NotHere(`flock could not be started (${code})`);
  });
  const isHeld = await undoneIfInterrupted(
    () => holder.kill(),
    () => Promise.race([once(holder.stdout, 'data'), ended.then(() => false)]),
  );
  const release = () => {
    holder.stdin.end();
    return ended;
  };
  return isHeld ? release : null;
}
