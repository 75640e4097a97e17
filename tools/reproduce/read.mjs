// Reads and checks a scenario's reproduction.json.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { duplicates, fault, faultsOfSchema, oneOf } from '../field-faults.mjs';
import { readJson, ScenarioError } from '../scenario-manifests.mjs';

/** Of a scenario that says nothing about how its figures are reproduced. */
const NOTHING = { sample: '', runs: {}, figures: [] };

/**
 * @param {string} scenarios path of the folder scenarios/
 * @param {object} manifest
 * @param {import('./server-search.mjs').Family[]} [families] to hold the search against
 * @returns {Promise<object>} as scenarios/reproduction.schema.json has it
 */
export async function readReproduction(scenarios, manifest, families = []) {
  const file = `scenarios/${manifest.id}/reproduction.json`;
  const path = join(scenarios, manifest.id, 'reproduction.json');
  if (!existsSync(path)) return NOTHING;
  const schema = readJson(join(scenarios, 'reproduction.schema.json'), 'scenarios/reproduction.schema.json');
  const reproduction = readJson(path, file);
  const faults = (await faultsOfSchema(schema))(reproduction);
  if (faults.length === 0) faults.push(...faultsBeyondSchema(reproduction, manifest, families));
  if (faults.length > 0) throw new ScenarioError(faults.map((line) => `${file}: ${line}`));
  return reproduction;
}

function faultsBeyondSchema(reproduction, manifest, families) {
  return [
    ...figureFaults(reproduction, manifest),
    ...sweepFaults(reproduction.sweeps ?? [], reproduction.figures),
    ...searchFaults(reproduction, families),
  ];
}

function figureFaults({ figures, runs }, { reported }) {
  const known = reported.map(({ id }) => id);
  return figures.flatMap(({ figure, run, band }, i) => [
    ...(known.includes(figure) ? [] : [fault(`figures[${i}].figure`, figure, oneOf(known))]),
    ...(run in runs ? [] : [fault(`figures[${i}].run`, run, oneOf(Object.keys(runs)))]),
    ...(band === undefined || band[0] <= band[1]
      ? []
      : [fault(`figures[${i}].band`, band, 'the lower end first')]),
  ]);
}

function sweepFaults(sweeps, figures) {
  const known = figures.map(({ figure, run }) => `${figure}, ${run}`);
  return [
    ...duplicates(sweeps.map(({ id }) => id)).map((id) => fault('sweeps', id, 'each id once in the list')),
    ...sweeps.flatMap(({ id, threads, rows, published = [] }) => [
      ...rows
        .map(({ figure, run }) => `${figure}, ${run}`)
        .filter((row) => !known.includes(row))
        .map((row) => fault(`sweeps.${id}.rows`, row, oneOf(known))),
      ...published
        .filter((point) => !rows.some(({ run }) => run === point.run))
        .map(({ run }) => fault(`sweeps.${id}.published`, run, oneOf(rows.map((row) => row.run)))),
      ...published
        .filter((point) => !threads.includes(point.threads))
        .map((point) => fault(`sweeps.${id}.published`, point.threads, oneOf(threads.map(String)))),
    ]),
  ];
}

/** @param {import('./server-search.mjs').Family[]} families none: they are not asked for */
function searchFaults({ search, figures }, families) {
  if (search === undefined) return [];
  const held = figures.filter(({ band }) => band !== undefined).map(({ figure, run }) => `${figure}, ${run}`);
  const wanted = search.figures.map(({ figure, run }) => `${figure}, ${run}`);
  const ids = families.map(({ id }) => id);
  return [
    ...wanted.filter((row) => !held.includes(row)).map((row) => fault('search.figures', row, oneOf(held))),
    ...search.figures
      .filter(({ run }) => !(run in search.runs))
      .map(({ run }) => fault('search.figures', run, oneOf(Object.keys(search.runs)))),
    ...search.families
      .filter((id) => ids.length > 0 && !ids.includes(id))
      .map((id) => fault('search.families', id, oneOf(ids))),
  ];
}
