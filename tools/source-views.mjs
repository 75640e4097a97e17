// @ts-check
// Reads and checks scenarios/*/source-view.json, which names the engine source that the page shows
// for each variant of each knob. web/build/source-views.ts checks that the functions exist and
// extracts them.
import { join } from 'node:path';

import { fault, oneOf } from './field-faults.mjs';
import { readChecked } from './scenario-files.mjs';

/** @typedef {import('../web/contract/manifest').Manifest} Manifest */
/** @typedef {import('../web/contract/scenario-files/source-view').ShownKnobs} ShownKnobs */

/** @param {string} scenario its id */
export const sourceViewFile = (scenario) => `scenarios/${scenario}/source-view.json`;

/**
 * @param {string} scenarios path of the folder scenarios/
 * @param {Manifest} manifest of the scenario
 * @returns {Promise<ShownKnobs>}
 */
export async function readSourceView(scenarios, manifest) {
  const file = sourceViewFile(manifest.id);
  const { knobs } = await readChecked(
    'source-view',
    join(scenarios, manifest.id, 'source-view.json'),
    file,
    (document) => designFaults(document.knobs, manifest),
  );
  return knobs;
}

/**
 * Checks that every variant of the manifest is shown, and no other.
 * @param {ShownKnobs} shown
 * @param {Manifest} manifest
 */
function designFaults(shown, { knobs }) {
  const knobIds = knobs.map(({ id }) => id);
  return [
    ...unknownFaults('knobs', Object.keys(shown), knobIds),
    ...knobs.flatMap(({ id, variants }) => {
      const field = `knobs.${id}`;
      const shownVariants = shown[id];
      if (shownVariants === undefined) return [fault(field, undefined, 'the functions of each variant')];
      const variantIds = variants.map((variant) => variant.id);
      return [
        ...unknownFaults(field, Object.keys(shownVariants), variantIds),
        ...variantIds
          .filter((variant) => shownVariants[variant] === undefined)
          .map((variant) => fault(`${field}.${variant}`, undefined, 'the functions that implement it')),
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
