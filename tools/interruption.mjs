// Ends a program early, after a signal or when its output cannot be written. First the programs
// that it started end, then half-written files are removed.
import { spawn } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { basename, join } from 'node:path';

/** How long the started programs may take to clean up. */
const GRACE_MS = 10_000;
export const ENDING_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Child processes that still run: the signal that ends each, and a promise of its end. */
const running = new Map();
const undos = new Set();
let isEnding = false;
let receiver = null;

/** Returns a promise that never settles: awaiting code stops here while the program ends. */
const forever = () => new Promise(() => {});

/**
 * Starts a program in its own process group. When this program ends early, it ends the whole group.
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions & { endedBy?: NodeJS.Signals }} options
 *   `endedBy`: the signal that ends the program early; default: SIGINT
 * @returns {{ child: import('node:child_process').ChildProcess, ended: Promise<number | string> }}
 *   `ended`: its exit code, or the signal that ended it; rejects if the program cannot be started
 */
export function startProgram(command, args, { endedBy = 'SIGINT', ...options }) {
  const child = spawn(command, args, { ...options, detached: true });
  if (isEnding) endGroup(child, 'SIGKILL');
  const gone = new Promise((resolve) => {
    child.on('exit', resolve);
    child.on('error', resolve);
  });
  running.set(child, { gone, endedBy });
  gone.then(() => running.delete(child));
  const ended = new Promise((resolve, reject) => {
    child.on('error', (error) => (isEnding ? undefined : reject(error)));
    child.on('close', (code, signal) => (isEnding ? undefined : resolve(signal ?? code)));
  });
  return { child, ended };
}

function endGroup({ pid }, signal) {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

/**
 * Runs `work`. If the program must end meanwhile, `undo` removes half-finished results.
 *
 * REQUIRES: `undo` is synchronous.
 * @template T
 * @param {() => void} undo
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function undoneIfInterrupted(undo, work) {
  undos.add(undo);
  try {
    const result = await work();
    return isEnding ? await forever() : result;
  } catch (error) {
    if (isEnding) return await forever();
    throw error;
  } finally {
    undos.delete(undo);
  }
}

/**
 * Creates a temporary folder, runs `work` with it, and removes it, even if interrupted.
 * @template T
 * @param {string} name part of the folder's name
 * @param {(folder: string) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function inTemporaryFolder(name, work) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `latchscope-${name}-`)));
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  try {
    return await undoneIfInterrupted(remove, () => work(folder));
  } finally {
    remove();
  }
}

/**
 * Ends the program as soon as everything that it started has ended. A second call ends it
 * immediately.
 * @param {number} exitCode
 */
export async function endEarly(exitCode) {
  if (isEnding) {
    for (const child of running.keys()) endGroup(child, 'SIGKILL');
    process.exit(exitCode);
  }
  isEnding = true;
  const children = [...running.keys()];
  for (const [child, { endedBy }] of running) endGroup(child, endedBy);
  const patience = setTimeout(() => children.forEach((child) => endGroup(child, 'SIGKILL')), GRACE_MS);
  await Promise.all([...running.values()].map(({ gone }) => gone));
  clearTimeout(patience);
  for (const child of children) endGroup(child, 'SIGKILL');
  for (const undo of [...undos].reverse()) undo();
  process.exit(exitCode);
}

export const hasBeenTold = () => isEnding;

/**
 * Ends the program early on a signal, with exit code 128 plus the signal's number. A second signal
 * ends it immediately.
 */
export function endOnSignals() {
  for (const signal of ENDING_SIGNALS) process.on(signal, () => onSignal(signal));
}

const PARENT_CHECKED_EVERY_MS = 500;

/**
 * Ends the program as on SIGHUP once the npm that started it has ended. npm does not forward SIGHUP
 * and cannot forward SIGKILL. A program that npm did not start itself outlives its parent, as with
 * `nohup`.
 */
export function endWithNpm() {
  const [, program] = process.argv;
  const script = process.env.npm_lifecycle_script ?? '';
  if (!script.includes(basename(program))) return;
  const npm = process.ppid;
  const check = setInterval(() => {
    if (process.ppid === npm) return;
    clearInterval(check); // A second signal would end the program immediately.
    onSignal('SIGHUP');
  }, PARENT_CHECKED_EVERY_MS);
  check.unref();
}

function onSignal(signal) {
  if (receiver !== null) receiver.kill(signal);
  else void endEarly(128 + constants.signals[signal]);
}

/**
 * Forwards all later signals to the child, which decides how to react.
 * @param {import('node:child_process').ChildProcess} child
 */
export function passSignalsTo(child) {
  receiver = child;
}

/** Ends the program by the signal's default action. */
export function endByItself(signal) {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}
