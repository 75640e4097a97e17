// @ts-check
// Runs contests of the latches of lab/latches in the native engine.
import { labLanguage } from './lab-language.mjs';
import { sourceOfLatch } from './lab-latches.mjs';
import { runForJson } from './native-engine.mjs';
import { UsageError } from './processes.mjs';

/**
 * Options of `lab bench` by contest field.
 * @type {Record<string, string>}
 */
const CONTEST_OPTIONS = {
  server: '--server',
  threads: '--threads',
  hold_ns: '--hold',
  think_ns: '--think',
  shared_percent: '--shared',
  duration_us: '--duration',
  seed: '--seed',
};

/**
 * @param {string[]} engine the command line, as engineProgram() returns it
 * @param {string} latch a latch of lab/latches
 * @param {Record<string, unknown>} contest as exercises write it; `threads` may list several thread
 *   counts
 * @returns {Promise<any[]>} a contest for each thread count, as in `lab bench --json`
 */
export async function runContests(engine, latch, contest) {
  const { compile } = await labLanguage();
  const { program } = compile(sourceOfLatch(latch));
  const { contests } = await runProgram(engine, latch, program, optionsOf(contest));
  return contests;
}

/**
 * @param {string[]} engine
 * @param {string} name the latch's name in messages
 * @param {import('../web/contract/latch-program').LabProgram | undefined} program
 * @param {string[]} options of `lab bench`
 * @returns {Promise<any>} the output of `lab bench --json`
 */
export async function runProgram(engine, name, program, options) {
  const { json, refused } = await runForJson(
    engine,
    ['lab', 'bench', '-', ...options],
    JSON.stringify(program),
  );
  if (refused !== undefined) throw new UsageError(`${name}: ${refused}`);
  return json;
}

/** @param {Record<string, unknown>} contest @returns {string[]} */
export const optionsOf = (contest) =>
  Object.entries(contest).flatMap(([field, value]) => [CONTEST_OPTIONS[field] ?? `--${field}`, `${value}`]);
