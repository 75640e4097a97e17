import { SetupError, say } from './progress.mjs';

/** Why a way of getting something does not apply here; the next way is tried. */
export class NotHere extends Error {}

/**
 * Tries ways of getting something in order; answers with the first that works, and its name as `source`.
 * @template {object} T
 * @param {string} what for messages
 * @param {{ name: string, get: () => Promise<T> }[]} ways each `get` throws when it does not work here;
 *   an error that knows its own remedy ends the search
 * @param {string} remedy what to do when none works
 * @returns {Promise<T & { source: string }>}
 */
export async function firstThatWorks(what, ways, remedy) {
  const refusals = [];
  for (const { name, get } of ways) {
    try {
      const result = await get();
      return { ...result, source: result.source ?? name };
    } catch (error) {
      if (error instanceof SetupError && error.remedy) throw error;
      if (!(error instanceof NotHere))
        say(`${what}: ${name} did not work: ${error.message.split(/:?\n/)[0]}`);
      refusals.push(`  ${refusals.length + 1}. ${name}: ${error.message.replaceAll('\n', '\n     ')}`);
    }
  }
  throw new SetupError(`no way to get ${what} worked. Tried, in this order:\n${refusals.join('\n')}`, remedy);
}
