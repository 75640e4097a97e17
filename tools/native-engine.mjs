// Runs the native engine through its command line.
import { join } from 'node:path';

import { CommandFailed, commandOutput, EXIT, outputsOf } from './processes.mjs';

/** The run ended, but one of its invariants is broken. */
const INVARIANT_BROKEN = EXIT.failed;

/** Thrown when the engine failed. The message is the engine's own. */
export class EngineFailed extends Error {}

/** Returns the engine's error message without the name of its program. */
const messageOf = (errors) => errors.trim().replace(/^latchscope: /, '');

/**
 * @param {string} folder build folder of the engine
 * @param {object} spec run spec with a duration; its version defaults to 1
 * @returns {Promise<object>} the run result, whose invariants may be broken
 */
export async function runNatively(folder, spec) {
  return JSON.parse(await runNativelyAsText(folder, spec));
}

/**
 * @param {{ quiet?: boolean }} [options] `quiet`: hides standard error
 * @returns {Promise<string>} the run result as the engine wrote it
 */
export function runNativelyAsText(folder, spec, options = {}) {
  return outputOfRun(folder, ['--json', '-'], spec, options);
}

/**
 * @returns {Promise<string>} the sysbench lines that the command line prints before the invariants
 */
export async function runNativelyAsSysbench(folder, spec) {
  const output = await outputOfRun(folder, [], spec, { quiet: true });
  return output.split('\nInvariants:\n', 1)[0];
}

async function outputOfRun(folder, printed, spec, options) {
  const args = ['run', '--spec', '-', ...printed];
  const input = JSON.stringify({ version: 1, ...spec });
  try {
    return await commandOutput(join(folder, 'latchscope'), args, { input, ...options });
  } catch (error) {
    if (!(error instanceof CommandFailed) || error.outcome !== INVARIANT_BROKEN) throw error;
    return error.output;
  }
}

/** @returns {string[]} the broken invariants of a run result */
export function brokenInvariants(result) {
  return result.invariants.filter(({ ok }) => !ok).map(({ name, detail }) => `${name}: ${detail}`);
}

/**
 * Runs the command line for its JSON output. `input` goes to standard input. Throws EngineFailed or
 * CommandFailed if the engine fails.
 * @param {string[]} engine the program and its first arguments
 * @param {string[]} args
 * @param {string} input
 * @returns {Promise<{ text?: string, refused?: string }>} `refused`: the error message if the command
 *   line refused its input
 */
export async function runForText([engine, ...first], args, input) {
  const { outcome, output, errors } = await outputsOf(engine, [...first, ...args, '--json', '-'], { input });
  if (outcome === EXIT.badUsage) return { refused: messageOf(errors) };
  if (outcome === EXIT.engineFailed && errors !== '') throw new EngineFailed(messageOf(errors));
  if (outcome !== 0 && outcome !== INVARIANT_BROKEN) throw new CommandFailed(engine, args, outcome, errors);
  return { text: output };
}

/**
 * Runs the command line as `runForText` does, and parses its output.
 * @returns {Promise<{ json?: any, refused?: string }>}
 */
export async function runForJson(engine, args, input) {
  const { text, refused } = await runForText(engine, args, input);
  return refused === undefined ? { json: JSON.parse(text) } : { refused };
}
