// What the engine counts in the steps of each experiment, in the designs that stand for the servers that were measured: computed by
// `npm run census`, which fails if the file says something else.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { readJson } from '../scenario-files.mjs';

export const CENSUS_RESULTS = 'census-results.json';

/**
 * @typedef {{ experiment: string, server: string, clients: number, counts: Record<string, number> }} EngineCounts
 * @typedef {Record<string, EngineCounts[]>} CensusResults by scenario
 */

/**
 * @param {string} scenarios path of the folder scenarios/
 * @returns {CensusResults}
 */
export function readCensusResults(scenarios) {
  const path = join(scenarios, CENSUS_RESULTS);
  return existsSync(path) ? readJson(path, `scenarios/${CENSUS_RESULTS}`) : {};
}

const nameOf = ({ experiment, server, clients }) => `${experiment}, ${server}, ${clients} clients`;

/**
 * @param {EngineCounts[]} written in the file
 * @param {EngineCounts[]} counted now
 * @returns {string[]} what differs, a line each
 */
export function resultFaults(written, counted) {
  const text = (results) => new Map(results.map((one) => [nameOf(one), JSON.stringify(one.counts)]));
  const [before, now] = [text(written), text(counted)];
  return [...new Set([...before.keys(), ...now.keys()])]
    .filter((name) => before.get(name) !== now.get(name))
    .map(
      (name) =>
        `scenarios/${CENSUS_RESULTS}: ${name}: ${before.get(name) ?? 'nothing'}, but the engine counts ${now.get(name) ?? 'nothing'}`,
    );
}
