import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { startProgram } from '../interruption.mjs';
import { cacheRoot } from './cache.mjs';

const OUTPUT_TAIL_LINES = 15;

/** A command that could not be started, failed, or took too long. */
export class CommandError extends Error {
  /**
   * @param {string} commandLine
   * @param {string} reason
   * @param {string} output
   */
  constructor(commandLine, reason, output) {
    const tail = output.trim().split('\n').slice(-OUTPUT_TAIL_LINES).join('\n  ');
    super(`\`${commandLine}\` ${reason}${tail ? `:\n  ${tail}` : ''}`);
    this.name = 'CommandError';
    this.output = output;
  }
}

/**
 * Runs a command to its end, collecting what it prints.
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, timeout_ms?: number }} [options]
 * @returns {Promise<{ stdout: string, stderr: string }>}
 */
export async function run(command, args, { cwd, env = process.env, timeout_ms } = {}) {
  const stdio = ['ignore', 'pipe', 'pipe'];
  const { child, ended } = startProgram(command, args, { cwd, env, timeout: timeout_ms, stdio });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => (stdout += chunk));
  child.stderr.on('data', (chunk) => (stderr += chunk));
  const failure = (reason) => new CommandError([command, ...args].join(' '), reason, stderr || stdout);
  const outcome = await ended.catch((error) => {
    throw failure(`could not be started (${error.code ?? error.message})`);
  });
  if (outcome === 0) return { stdout, stderr };
  throw failure(typeof outcome === 'string' ? `was ended by ${outcome}` : `failed with exit code ${outcome}`);
}

/**
 * The first of some programs that the machine itself has on PATH; what the set-up put there does not count.
 * @param {string[]} names
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {string | null} its full path
 */
export function which(names, env = process.env) {
  const own = cacheRoot(env);
  const directories = (env.PATH ?? '').split(delimiter).filter((folder) => folder && !folder.startsWith(own));
  for (const name of names) {
    const found = directories.map((directory) => join(directory, name)).find(isExecutableFile);
    if (found) return found;
  }
  return null;
}

/**
 * @param {string} path
 * @returns {boolean}
 */
export function isExecutableFile(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/**
 * @param {string} directory
 * @returns {string} PATH with the directory in front
 */
export function pathWith(directory) {
  return [directory, process.env.PATH].filter(Boolean).join(delimiter);
}
