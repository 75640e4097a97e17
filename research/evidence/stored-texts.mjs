// Compares documents with stored figures without running the engine: the tables of
// docs/fidelity.md, and the figures that the README and lessons quote.
import { join } from 'node:path';

import { writeFormatted } from '../../tools/files.mjs';
import { repository } from '../../tools/processes.mjs';
import { readManifests, SCENARIOS } from '../../tools/scenario-manifests.mjs';
import { documents, fileOf, fromStored } from './reproduction.mjs';
import { differences, storedFile, storedWith, textOf } from './stored-results.mjs';

/**
 * @returns {Promise<{ faults: string[], texts: Map<string, string> }>} faults: scenarios that need
 *   a new run; texts: the expected text of each file, by path from the root of the repository
 */
async function storedTexts() {
  const all = await Promise.all((await readManifests()).map((manifest) => fromStored(manifest)));
  const faults = all
    .filter(({ isUpToDate }) => !isUpToDate)
    .map(
      ({ scenario }) =>
        `${fileOf({ id: scenario })}: figures have changed since they were stored. Run npm run evidence -- reproduction --update.`,
    );
  const texts = documents(all, textOf);
  texts.set(
    storedFile('reproduction'),
    JSON.stringify(
      storedWith(
        SCENARIOS,
        'reproduction',
        all.map(({ scenario, runs, figures }) => ({ scenario, runs, figures })),
      ),
    ),
  );
  return { faults, texts };
}

/** @returns {Promise<string[]>} a line for each difference between a document and the stored
 *   figures */
export async function storedTextFaults() {
  const { faults, texts } = await storedTexts();
  const differing = [...texts].flatMap(([file, text]) => differences(file, textOf(file), text));
  return [...faults, ...differing];
}

/**
 * @param {{ update: boolean }} wishes
 * @returns {Promise<boolean>} whether all documents show the stored figures
 */
export async function gatherStored({ update }) {
  const { faults, texts } = await storedTexts();
  if (update && faults.length === 0)
    for (const [file, text] of texts) await writeFormatted(join(repository, file), text);
  const left = await storedTextFaults();
  for (const line of left) console.error(line);
  if (left.length === 0) console.log(`${texts.size} files show the stored figures`);
  else console.error('If only texts were changed: npm run evidence -- reproduction --stored --update');
  return left.length === 0;
}
