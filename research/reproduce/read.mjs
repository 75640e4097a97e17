// Reads and checks a scenario's reproduction.json.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { duplicates, fault, oneOf } from '../../tools/field-faults.mjs';
import { readChecked } from '../../tools/scenario-files.mjs';
import { bandFault } from './bands.mjs';
import { MEASURE_FIELDS } from './measures.mjs';

/**
 * @param {string} scenarios path of the folder scenarios/
 * @param {object} manifest
 * @param {import('./server-search.mjs').Family[]} [families] to check the search against
 * @returns {Promise<import('../../web/contract/scenario-files/reproduction').Reproduction | null>}
 *   null if the scenario has no such file
 */
export async function readReproduction(scenarios, manifest, families = []) {
  const file = `scenarios/${manifest.id}/reproduction.json`;
  const path = join(scenarios, manifest.id, 'reproduction.json');
  if (!existsSync(path)) return null;
  const reproduction = await readChecked('reproduction', path, file, (document) =>
    faultsBeyondSchema(document, manifest, families),
  );
  return { not_held: [], quoted: [], ...reproduction };
}

function faultsBeyondSchema(reproduction, manifest, families) {
  return [
    ...figureFaults(reproduction, manifest),
    ...sweepFaults(reproduction.sweeps ?? [], reproduction.figures),
    ...searchFaults(reproduction, families),
    ...quoteFaults(reproduction, manifest),
  ];
}

/** Fields of rows that follow from another row. */
export const labelsOf = ({ figures }, { reported }) =>
  figures.map(({ figure, label }) => label ?? reported.find(({ id }) => id === figure)?.figure);

function quoteFaults(reproduction, manifest) {
  const labels = labelsOf(reproduction, manifest);
  return (reproduction.quoted ?? [])
    .filter(({ label }) => !labels.includes(label))
    .map(({ label }) => fault('quoted.label', label, 'the label of a row'));
}

function figureFaults(reproduction, manifest) {
  const { figures, runs } = reproduction;
  const known = manifest.reported.map(({ id }) => id);
  const labels = labelsOf(reproduction, manifest);
  return [
    ...duplicates(labels).map((label) => fault('figures', label, 'each label once in the list')),
    ...figures.flatMap((figure, i) =>
      rowFaults(figure, known, Object.keys(runs)).map(([field, value, allowed]) =>
        fault(`figures[${i}]${field}`, value, allowed),
      ),
    ),
  ];
}

/** A row states exactly one of these: how it compares with the report. */
const HELD_BY = ['band', 'not_comparable', 'unreported'];

/** @returns {[string, unknown, string][]} field, value, allowed values */
function rowFaults({ figure, run, band, basis, measure, misses, ...rest }, known, runs) {
  const heldBy = HELD_BY.filter((field) => (field === 'band' ? band : rest[field]) !== undefined);
  const wrongBand = band === undefined ? null : bandFault(band, basis);
  return [
    ...(known.includes(figure) ? [] : [['.figure', figure, oneOf(known)]]),
    ...(runs.includes(run) ? [] : [['.run', run, oneOf(runs)]]),
    ...(heldBy.length === 1 ? [] : [['', heldBy, `exactly one of ${HELD_BY.join(', ')}`]]),
    ...(wrongBand === null ? [] : [['.band', band, wrongBand]]),
    ...(misses === undefined || band !== undefined
      ? []
      : [['.misses', misses, 'nothing where there is no band']]),
    ...measureFaults(measure),
  ];
}

/** @returns {[string, unknown, string][]} */
function measureFaults({ kind, ...given }) {
  if (!(kind in MEASURE_FIELDS)) return [['.measure.kind', kind, oneOf(Object.keys(MEASURE_FIELDS))]];
  const [required, optional] = MEASURE_FIELDS[kind];
  const known = [...required, ...optional];
  return [
    ...required
      .filter((field) => given[field] === undefined)
      .map((field) => [`.measure.${field}`, undefined, 'a value: it is required']),
    ...Object.keys(given)
      .filter((field) => !known.includes(field))
      .map((field) => ['.measure', field, oneOf(known)]),
  ];
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

/** @param {import('./server-search.mjs').Family[]} families an empty list skips their check */
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
