// Tries every server of scenarios/plausible-servers.json, and lists the servers that give the
// figures of a report.
import { join } from 'node:path';

import { buildCommandLine } from '../../tools/builds.mjs';
import { EngineRuns } from '../../tools/engine-runs.mjs';
import { duplicates, fault, oneOf } from '../../tools/field-faults.mjs';
import { writeJson } from '../../tools/files.mjs';
import { readChecked } from '../../tools/scenario-files.mjs';
import { readManifests, readServers, SCENARIOS } from '../../tools/scenario-manifests.mjs';
import { bandOf } from './bands.mjs';
import { MEASURES } from './measures.mjs';
import { readReproduction } from './read.mjs';
import { reportedBy } from './table.mjs';

const FILE = 'scenarios/plausible-servers.json';

/**
 * @typedef {import('../../web/contract/scenario-files/plausible-servers').Family} Family
 * @typedef {{ family: string, chosen: Record<string, number>, here: number[], within: boolean[] }}
 *   Trial one tried server. chosen: its values within the family's ranges; here: the result for
 *   each figure; within: whether the result lies within the figure's band
 */

/**
 * @param {string} scenarios path of the folder scenarios/
 * @param {import('../../web/contract/servers-file').Servers} servers
 * @returns {Promise<Family[]>}
 */
export async function readFamilies(scenarios, { fields }) {
  const { families } = await readChecked(
    'plausible-servers',
    join(scenarios, 'plausible-servers.json'),
    FILE,
    (document) => familyFaults(document.families, fields),
  );
  return families;
}

/** @returns {string[]} errors that a schema cannot find */
export function familyFaults(families, fields) {
  return [
    ...duplicates(families.map(({ id }) => id)).map((id) =>
      fault('families', id, 'each id once in the list'),
    ),
    ...families.flatMap(({ id, values, ranges }) => [
      ...duplicates([...Object.keys(values), ...Object.keys(ranges)]).map((name) =>
        fault(`families.${id}.ranges`, name, 'a field that is not among the values'),
      ),
      ...valueFaults(`families.${id}.values`, Object.entries(values), fields),
      ...valueFaults(
        `families.${id}.ranges`,
        Object.entries(ranges).flatMap(([name, all]) => all.map((value) => [name, value])),
        fields,
      ),
    ]),
  ];
}

function valueFaults(where, entries, fields) {
  return entries.flatMap(([name, value]) => {
    const field = fields.find(({ id }) => id === name);
    if (field === undefined) return [fault(where, name, oneOf(fields.map(({ id }) => id)))];
    if (value >= field.min && value <= field.max) return [];
    return [fault(`${where}.${name}`, value, `${field.min} to ${field.max}`)];
  });
}

/**
 * Returns every combination of values within the ranges.
 * @param {Record<string, number[]>} ranges
 * @returns {Record<string, number>[]}
 */
export function choicesOf(ranges) {
  return Object.entries(ranges).reduce(
    (choices, [name, values]) =>
      choices.flatMap((choice) => values.map((value) => ({ ...choice, [name]: value }))),
    [{}],
  );
}

/**
 * Tries every server of the families.
 * @param {import('../../tools/engine-runs.mjs').EngineRuns} engineRuns
 * @param {object} manifest
 * @param {object} search of the scenario's reproduction.json, each figure with its band
 * @param {Family[]} families
 * @param {(done: number, of: number) => void} onProgress
 * @returns {Promise<Trial[]>} in the order of the families
 */
async function tryServers(engineRuns, manifest, search, families, onProgress) {
  const candidates = families.flatMap((family) =>
    choicesOf(family.ranges).map((chosen) => ({ family, chosen })),
  );
  let done = 0;
  return Promise.all(
    candidates.map(async (candidate) => {
      const trial = await tryServer(engineRuns, manifest, search, candidate);
      onProgress(++done, candidates.length);
      return trial;
    }),
  );
}

async function tryServer(engineRuns, manifest, { runs, figures }, { family, chosen }) {
  const server = { based_on: manifest.virtual_server, ...family.values, ...chosen };
  const results = {};
  for (const [name, run] of Object.entries(runs)) {
    const spec = { scenario: manifest.id, platform: 'virtual', server, ...run };
    results[name] = (await engineRuns.run('virtual', spec)).result;
  }
  const here = figures.map(({ run, measure }) => MEASURES[measure.kind](results[run], measure));
  const within = figures.map(({ band: [low, high] }, i) => low <= here[i] && here[i] <= high);
  return { family: family.id, chosen, here, within };
}

/**
 * Returns the accepted region of each family: how many servers were tried, and how many each figure
 * and all figures accept.
 * @param {Trial[]} trials
 * @returns {{ family: string, tried: number, by_figure: number[], by_all: number, values:
 *   Record<string, number[]> }[]}
 */
export function acceptedRegion(trials) {
  return [...new Set(trials.map(({ family }) => family))].map((family) => {
    const own = trials.filter((trial) => trial.family === family);
    const accepted = own.filter(({ within }) => within.every(Boolean));
    return {
      family,
      tried: own.length,
      by_figure: own[0].within.map((_, i) => own.filter(({ within }) => within[i]).length),
      by_all: accepted.length,
      values: Object.fromEntries(
        Object.keys(own[0].chosen).map((name) => [
          name,
          [...new Set(accepted.map(({ chosen }) => chosen[name]))].sort((a, b) => a - b),
        ]),
      ),
    };
  });
}

/**
 * Prints the servers that give the figures of each scenario. The JSON has every tried server.
 * @param {{ scenarios: string[], json?: string }} wishes
 */
export async function searchServers({ scenarios, json }) {
  const manifests = (await readManifests()).filter(({ id }) => scenarios.includes(id));
  const known = await readFamilies(SCENARIOS, await readServers());
  const engineRuns = EngineRuns.on({ virtual: await buildCommandLine('virtual') });
  const found = {};
  for (const manifest of manifests) {
    const reproduction = await readReproduction(SCENARIOS, manifest, known);
    if (reproduction?.search === undefined) continue;
    const search = withBands(manifest, reproduction);
    const families = known.filter(({ id }) => search.families.includes(id));
    found[manifest.id] = await tryServers(engineRuns, manifest, search, families, (done, of) => {
      if (done % 10 === 0 || done === of) console.error(`${manifest.id}: ${done} of ${of} servers`);
    });
    if (json !== '-') console.log(`${manifest.id}\n${regionAsText(search, found[manifest.id])}`);
  }
  writeJson(json, found);
}

/** Returns the search with its targets, the bands of the table's rows. */
function withBands(manifest, { search, figures }) {
  const bandFor = ({ figure, run }) => {
    const row = figures.find((one) => one.figure === figure && one.run === run && one.band !== undefined);
    return bandOf(row.band, reportedBy(manifest, row));
  };
  return { ...search, figures: search.figures.map((wanted) => ({ ...wanted, band: bandFor(wanted) })) };
}

/** @param {object} search @param {Trial[]} trials */
export function regionAsText({ figures }, trials) {
  const head = figures.map(
    ({ figure, run, band }, i) => `  figure ${i + 1}: ${figure} (${run}), band ${band.join(' to ')}`,
  );
  const rows = acceptedRegion(trials).map(({ family, tried, by_figure, by_all, values }) => {
    const counts = by_figure.map((count, i) => `figure ${i + 1}: ${count}`).join(', ');
    const line = `  ${family}: ${tried} tried; accepted by ${counts}, all: ${by_all}`;
    if (by_all === 0) return line;
    const shown = Object.entries(values).map(([name, list]) => `${name} ${list.join(' ')}`);
    return `${line}\n    ${shown.join('; ')}`;
  });
  return [...head, ...rows].join('\n');
}
