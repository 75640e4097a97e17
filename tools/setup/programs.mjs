/** Finds programs on the machine and checks whether they are suitable. */

import { join } from 'node:path';
import { rememberAbout } from './cache.mjs';
import { isExecutableFile, run, which } from './commands.mjs';
import { NotHere } from './progress.mjs';

/** @typedef {{ atLeast: string, below: string }} Range a range of versions */

const byNumber = new Intl.Collator('en', { numeric: true });

/**
 * Whether a version such as '3.1.69' is in a range. Parts compare as numbers: 3.1.6 is before
 * 3.1.58.
 */
export const isAccepted = (version, { atLeast, below }) =>
  version !== null && byNumber.compare(version, atLeast) >= 0 && byNumber.compare(version, below) < 0;

export const describeRange = ({ atLeast, below }) => `>= ${atLeast} and < ${below}`;

/** Returns the first dotted version number in the output of --version, or null. */
export const findVersion = (text) => /\d+(?:\.\d+)+/.exec(text)?.[0] ?? null;

/**
 * Examines a program of the machine. Throws NotHere if it is not suitable. The result is cached.
 * @param {string} program
 * @param {{ says?: string, accepted?: Range, examine?: () => Promise<object> }} [wanted] `says`:
 *   text that its --version output must contain; `examine`: returns more facts, or throws
 * @returns {Promise<{ version: string | null }>} plus the result of `examine`
 */
export async function requireProgram(program, { says = '', accepted, examine } = {}) {
  if (!isExecutableFile(program)) throw new NotHere(`${program} is not an executable file`);
  const range = accepted && describeRange(accepted);
  const ask = async () => {
    const text = (await run(program, ['--version'])).stdout;
    const version = findVersion(text);
    if (!text.includes(says)) return { refusal: `is not ${says}` };
    if (accepted && !isAccepted(version, accepted))
      return { refusal: `is version ${version}; needed: ${range}` };
    try {
      return { version, ...(await examine?.()) };
    } catch (error) {
      return { refusal: `does not work: ${error.message}` };
    }
  };
  const { refusal, ...facts } = await rememberAbout(program, ask, range);
  if (refusal) throw new NotHere(`${program} ${refusal}`);
  return facts;
}

/**
 * @typedef {{ name: string, get: () => Promise<object> }} Way a way to obtain something; `get`
 *   throws if it does not work
 */

/**
 * Returns a way that uses the program named by a variable, or the program at `within` in the folder
 * named by it. `describe` throws if the program is not suitable.
 */
export function byVariable(variable, describe, within = '') {
  const get = async () => {
    const value = process.env[variable];
    if (!value) throw new NotHere(`${variable} is not set`);
    return describe(which([value]) ?? join(value, within));
  };
  return { name: `$${variable}`, get };
}

/** Returns a way that uses the first suitable one of these programs on PATH. */
export function onPath(names, describe) {
  const get = async () => {
    const refusals = [];
    for (const program of names.map((name) => which([name])).filter(Boolean)) {
      try {
        return await describe(program);
      } catch (error) {
        refusals.push(error.message);
      }
    }
    throw new NotHere(refusals.join('\n') || `${names.join(', ')} not found on PATH`);
  };
  return { name: `${names[0]} on PATH`, get };
}
