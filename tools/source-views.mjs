// @ts-check
// Reads and checks scenarios/*/source-view.json: which source of the engine the page shows for each variant of each knob.
// What the functions look like, and whether they are there, web/build/source-views.ts sees.
import { join } from 'node:path';

import { fault, faultsOfSchema, oneOf } from './field-faults.mjs';
import { readJson, ScenarioError } from './scenario-manifests.mjs';

/** @typedef {import('../web/contract/manifest').Manifest} Manifest */
/** @typedef {{ after?: string, from?: string, before?: string, through?: string }} LineRange each a piece of a line */
/** @typedef {{ file: string, function: string, not_run?: LineRange[] }} ShownFunction */
/** @typedef {Record<string, Record<string, ShownFunction[]>>} ShownKnobs by knob and variant */

/** @param {string} scenario its id */
export const sourceViewFile = (scenario) => `scenarios/${scenario}/source-view.json`;

/**
 * @param {string} scenarios path of the folder scenarios/
 * @param {Manifest} manifest of the scenario
 * @returns {Promise<ShownKnobs>}
 */
export async function readSourceView(scenarios, manifest) {
  const file = sourceViewFile(manifest.id);
  const schemaFaults = await faultsOfSchema(
    readJson(join(scenarios, 'source-view.schema.json'), 'scenarios/source-view.schema.json'),
  );
  const document = readJson(join(scenarios, manifest.id, 'source-view.json'), file);
  const faults = schemaFaults(document);
  if (faults.length === 0) faults.push(...designFaults(document.knobs, manifest));
  if (faults.length > 0) throw new ScenarioError(faults.map((line) => `${file}: ${line}`));
  return document.knobs;
}

/**
 * Every variant that the manifest has is shown, and no other.
 * @param {ShownKnobs} shown
 * @param {Manifest} manifest
 */
function designFaults(shown, { knobs }) {
  const knob_ids = knobs.map(({ id }) => id);
  return [
    ...unknownFaults('knobs', Object.keys(shown), knob_ids),
    ...knobs.flatMap(({ id, variants }) => {
      const field = `knobs.${id}`;
      const shown_variants = shown[id];
      if (shown_variants === undefined) return [fault(field, undefined, 'the functions of each variant')];
      const variant_ids = variants.map((variant) => variant.id);
      return [
        ...unknownFaults(field, Object.keys(shown_variants), variant_ids),
        ...variant_ids
          .filter((variant) => shown_variants[variant] === undefined)
          .map((variant) => fault(`${field}.${variant}`, undefined, 'the functions that carry it out')),
      ];
    }),
  ];
}

/**
 * @param {string} field
 * @param {string[]} names
 * @param {string[]} known
 */
const unknownFaults = (field, names, known) =>
  names.filter((name) => !known.includes(name)).map((name) => fault(field, name, oneOf(known)));
