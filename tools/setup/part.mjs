/**
 * Defines how the set-up obtains a part of the toolchain: it searches the machine, then the cache,
 * then installs into the cache.
 */

import { findInstalled, install } from './cache.mjs';
import { NotHere, SetupError, say } from './progress.mjs';

/**
 * @typedef {import('./programs.mjs').Way} Way
 * @typedef {object} Install a way to install a part into the cache
 * @property {string} name
 * @property {string} recipe identifies the content of the folder; changes when the install changes
 * @property {(directory: string, facts: object) => object} describe returns what the part offers:
 *   paths, and how to use them
 * @property {(directory: string) => Promise<object>} build fills the folder; its result is stored
 *   with the folder as `facts`
 */

/**
 * @param {object} part
 * @param {string} part.title for messages
 * @param {string} part.remedy what to do when no way works
 * @param {string} part.folder below the cache root
 * @param {Way[]} [part.found] ways that change nothing, in order
 * @param {Install[]} part.installs in order
 * @param {Way[]} [part.elsewhere] ways that install outside the cache
 * @returns {{ title: string, ways: (Way & { installs?: true })[], ensure: () => Promise<{ source:
 *   string }> }} `installs` marks ways that change something
 */
export function part({ title, remedy, folder, found = [], installs, elsewhere = [] }) {
  const recipes = installs.map(({ recipe, describe }) => [recipe, describe]);
  const installing = installs.map(({ name, ...how }) => ({ name, get: () => install(folder, how) }));
  const ways = [
    ...found,
    { name: 'the cache', get: async () => findInstalled(folder, recipes) },
    ...[...installing, ...elsewhere].map((way) => ({ ...way, installs: true })),
  ];
  return { title, ways, ensure: () => firstThatWorks(title, ways, remedy) };
}

/** Tries ways in order. An error with its own remedy ends the search. */
async function firstThatWorks(title, ways, remedy) {
  const refusals = [];
  for (const { name, get } of ways) {
    try {
      return { source: name, ...(await get()) };
    } catch (error) {
      if (error instanceof SetupError && error.remedy) throw error;
      if (!(error instanceof NotHere)) say(`${title}: ${name} failed: ${error.message.split(/:?\n/)[0]}`);
      refusals.push(`  ${refusals.length + 1}. ${name}: ${error.message.replaceAll('\n', '\n     ')}`);
    }
  }
  throw new SetupError(
    `${title} could not be found or installed. Tried, in this order:\n${refusals.join('\n')}`,
    remedy,
  );
}
