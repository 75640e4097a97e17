// Runs other programs and collects their output.
import { AsyncLocalStorage } from 'node:async_hooks';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { startProgram } from './interruption.mjs';

/** Root of the checkout. */
export const repository = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Exit codes of the command line and of all programs (docs/reference/command-line.md). */
export const EXIT = { ok: 0, failed: 1, badUsage: 2, engineFailed: 3, cannotWrite: 4 };

/**
 * Thrown for a wrong argument or input file. The message names the field, the value and the allowed
 * values.
 */
export class UsageError extends Error {}

/** Thrown before the work starts if the file for its result cannot be written. */
export class OutputRefused extends UsageError {}

/** Thrown when a program ends with an error. */
export class CommandFailed extends Error {
  constructor(command, args, outcome, output) {
    super(`${[command, ...args].join(' ')} ended with ${outcome}${output ? `:\n${output}` : ''}`);
    this.outcome = outcome;
    this.output = output;
  }
}

const start = (command, args, options) => startProgram(command, args, { cwd: repository, ...options });

function collect(stream) {
  const chunks = [];
  stream.on('data', (chunk) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString('utf8');
}

/** The buffer that receives captured output, per async context. */
const kept = new AsyncLocalStorage();
let areStreamsWatched = false;

function watchStreams() {
  if (areStreamsWatched) return;
  areStreamsWatched = true;
  for (const stream of [process.stdout, process.stderr]) {
    const write = stream.write.bind(stream);
    stream.write = (chunk, ...rest) => {
      const chunks = kept.getStore();
      if (chunks === undefined) return write(chunk, ...rest);
      chunks.push(Buffer.from(chunk));
      return true;
    };
  }
}

/**
 * Runs `work` and captures its output, and that of the programs it runs, instead of showing it.
 * @param {() => Promise<void>} work
 * @returns {Promise<{ output: string, error?: unknown }>} `error`: the error that `work` threw
 */
export async function keepingOutput(work) {
  watchStreams();
  const chunks = [];
  let error;
  await kept.run(chunks, () => work().catch((caught) => (error = caught)));
  return { output: Buffer.concat(chunks).toString('utf8'), error };
}

/**
 * Runs a program to its end. Throws CommandFailed if its exit code is not 0.
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, quietUnlessFailed?: boolean, leaveOut?: RegExp
 *   }} [options] `leaveOut`: hides the lines of standard output that match
 */
export async function runCommand(
  command,
  args,
  { quietUnlessFailed: quiet = false, leaveOut, ...options } = {},
) {
  if (leaveOut) return runFiltered(command, args, leaveOut, options);
  const chunks = quiet ? undefined : kept.getStore();
  const isRead = quiet || chunks !== undefined;
  const { child, ended } = start(command, args, {
    ...options,
    stdio: isRead ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
  });
  if (chunks !== undefined)
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => chunks.push(chunk));
  const outputs = quiet ? [collect(child.stdout), collect(child.stderr)] : [];
  const outcome = await ended;
  if (outcome !== 0) throw new CommandFailed(command, args, outcome, outputs.map((read) => read()).join(''));
}

async function runFiltered(command, args, leaveOut, options) {
  const { child, ended } = start(command, args, { ...options, stdio: ['ignore', 'pipe', 'inherit'] });
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (!leaveOut.test(line)) console.log(line);
  });
  const outcome = await ended;
  if (outcome !== 0) throw new CommandFailed(command, args, outcome);
}

/**
 * Runs a program and returns its standard output. Throws CommandFailed if its exit code is not 0.
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, input?: string, quiet?: boolean }} [options]
 *   `input` goes to standard input; `quiet`: hides standard error
 * @returns {Promise<string>}
 */
export async function commandOutput(command, args, { quiet, ...options } = {}) {
  const { outcome, output } = await outputsOf(command, args, {
    ...options,
    stderr: quiet ? 'ignore' : 'inherit',
  });
  if (outcome !== 0) throw new CommandFailed(command, args, outcome, output);
  return output;
}

/**
 * Runs a program to its end and returns its outcome, even if it fails.
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions & { input?: string, stderr?:
 *   import('node:child_process').IOType }} [options] `input` goes to standard input
 * @returns {Promise<{ outcome: number | string, output: string, errors: string }>} `outcome`: the
 *   exit code, or the signal that ended the program; `output`: standard output; `errors`: standard
 *   error
 */
export async function outputsOf(command, args, { input = '', stderr = 'pipe', ...options } = {}) {
  const { child, ended } = start(command, args, { ...options, stdio: ['pipe', 'pipe', stderr] });
  const [output, errors] = [collect(child.stdout), child.stderr ? collect(child.stderr) : () => ''];
  child.stdin.on('error', () => {}); // It may end before it reads all input.
  child.stdin.end(input);
  const outcome = await ended;
  return { outcome, output: output(), errors: errors() };
}
