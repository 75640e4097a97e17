import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { undoneIfInterrupted } from '../interruption.mjs';
import { NotHere, SetupError, say } from './progress.mjs';

/**
 * Runs `work` while no other process holds the lock.
 * @template T
 * @param {string} lock a file, which is made and stays
 * @param {() => Promise<T>} work
 * @param {string} [what] for messages: what this process waits for
 * @returns {Promise<T>}
 */
export async function holdingLock(lock, work, what = 'another run of the set-up') {
  closeSync(openSync(lock, 'a'));
  let release = await take('--nonblock', lock);
  if (release === null) {
    say(`waiting for ${what} (${lock})`);
    release = await take('--exclusive', lock);
  }
  if (release === null) throw new SetupError(`flock cannot lock ${lock}`);
  try {
    return await work();
  } finally {
    await release();
  }
}

/**
 * Starts a program that holds the lock until its standard input closes. However this process ends, the lock ends with it.
 * It is in a process group of its own, because Ctrl-C must not end it before half-made files are removed.
 */
async function take(option, lock) {
  const holder = spawn('flock', [option, lock, 'sh', '-c', 'echo held; exec cat'], {
    stdio: ['pipe', 'pipe', 'ignore'],
    detached: true,
  });
  const ended = once(holder, 'exit').catch(({ code }) => {
    throw new NotHere(`flock cannot be started (${code})`);
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
