// Runs commands of the set-up, and finds programs on PATH.
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { startProgram } from '../interruption.mjs';
import { CommandFailed } from '../processes.mjs';
import { cacheRoot } from './cache.mjs';
import { NotHere } from './progress.mjs';

const OUTPUT_TAIL_LINES = 15;

/**
 * Runs a command to its end and collects its output. `env` is added to this process's environment.
 * Throws CommandFailed if the command fails or takes longer than `timeout_ms`.
 */
export async function run(command, args, { cwd, env, timeout_ms } = {}) {
  const { child, ended } = startProgram(command, args, {
    cwd,
    env: { ...process.env, ...env },
    timeout: timeout_ms,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => (stdout += chunk));
  child.stderr.on('data', (chunk) => (stderr += chunk));
  const outcome = await ended.catch(
    ({ code, message }) => `an error: it could not be started (${code ?? message})`,
  );
  if (outcome === 0) return { stdout, stderr };
  const lines = (stderr || stdout).trim().split('\n').slice(-OUTPUT_TAIL_LINES);
  throw new CommandFailed(command, args, outcome, lines.join('\n'));
}

/**
 * Returns the path of the first of these programs on PATH, or null. Ignores programs from the
 * cache.
 */
export function which(names) {
  const own = cacheRoot();
  const folders = (process.env.PATH ?? '').split(delimiter).filter((path) => path && !path.startsWith(own));
  const paths = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return paths.find(isExecutableFile) ?? null;
}

/** Throws NotHere if one of the programs is missing. */
export function requireOnPath(...names) {
  const missing = names.filter((name) => !which([name]));
  if (missing.length > 0) throw new NotHere(`${missing.join(', ')} not found on PATH`);
}

export const isExecutableFile = (path) => canAccess(path, constants.X_OK) && statSync(path).isFile();

export const isWritable = (path) => canAccess(path, constants.W_OK);

function canAccess(path, mode) {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}

/** Returns PATH with a folder in front. */
export const pathWith = (folder) => [folder, process.env.PATH].filter(Boolean).join(delimiter);
