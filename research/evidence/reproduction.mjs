// The reports' figures beside those of the runs in scenarios/*/reproduction.json, and their quotes
// in documents. Bands are written by hand.
import { isDeepStrictEqual } from 'node:util';

import { SCENARIOS } from '../../tools/scenario-manifests.mjs';
import { documentWith } from '../reproduce/document.mjs';
import { withQuotes } from '../reproduce/quotes.mjs';
import { readReproduction } from '../reproduce/read.mjs';
import { carryOut, sweepFromStored, sweepsAsText } from '../reproduce/sweeps.mjs';
import { asText, bandFaults, evidenceOf, rowFromStored, rowOf } from '../reproduce/table.mjs';
import { readStored } from './stored-results.mjs';

const DOCUMENT = 'docs/fidelity.md';

export const engines = ['virtual'];
export const fileOf = ({ id }) => `scenarios/${id}/reproduction.json`;
export const read = (manifest) => readReproduction(SCENARIOS, manifest);

export async function find(manifest, reproduction, runs) {
  const named = Object.entries(reproduction.runs).map(async ([name, run]) => [
    name,
    await runs.virtual(name, run),
  ]);
  const [results, sweeps] = await Promise.all([
    Promise.all(named).then(Object.fromEntries),
    Promise.all(
      (reproduction.sweeps ?? []).map((sweep) =>
        carryOut(manifest, reproduction, sweep, (name, run) => runs.virtual(name, run)),
      ),
    ),
  ]);
  const rows = reproduction.figures.map((figure) => rowOf(manifest, figure, results[figure.run]));
  return {
    lines: [reproduction.sample, asText(rows), sweepsAsText(sweeps)].filter((text) => text !== ''),
    faults: bandFaults(rows),
    figures: { rows, sweeps },
    reproduction,
  };
}

/**
 * Builds the table without a run: stored figures with the current texts of reproduction.json.
 * @param {object} manifest
 * @returns {Promise<{ scenario: string, reproduction: object, runs: object, figures: object,
 *   isUpToDate: boolean }>} isUpToDate: false if more than texts changed since the figures were
 *   stored
 */
export async function fromStored(manifest) {
  const reproduction = await read(manifest);
  const { runs, figures } = readStored(SCENARIOS, 'reproduction')[manifest.id];
  const rows = reproduction.figures.map((figure, i) =>
    rowFromStored(manifest, figure, figures.rows[i] ?? { here: NaN, samples: null }),
  );
  const sweeps = figures.sweeps.map((stored) =>
    sweepFromStored(
      reproduction.sweeps?.find(({ id }) => id === stored.id),
      stored,
    ),
  );
  const isUpToDate =
    isDeepStrictEqual(rows.map(withoutTexts), figures.rows.map(withoutTexts)) &&
    isDeepStrictEqual(
      (reproduction.sweeps ?? []).map(({ id }) => id),
      sweeps.map(({ id }) => id),
    );
  return { scenario: manifest.id, reproduction, runs, figures: { rows, sweeps }, isUpToDate };
}

const TEXTS = ['label', 'note', 'misses', 'band_from'];
const withoutTexts = (row) => ({
  ...Object.fromEntries(Object.entries(row).filter(([name]) => !TEXTS.includes(name))),
  isMissed: row.misses !== null,
});

export function closing(all) {
  const { predictions, within } = evidenceOf(asJson(all).figures);
  return `predictions: ${within} of ${predictions} within their bands`;
}

export const asJson = (all) => ({
  figures: all.flatMap(({ figures }) => figures?.rows ?? []),
  sweeps: all.flatMap(({ figures }) => figures?.sweeps ?? []),
});

/**
 * The documents that show figures.
 * @param {(file: string) => string} textOf the text of a file, by path from the root of the
 *   repository
 * @returns {Map<string, string>}
 */
export function documents(all, textOf) {
  const texts = new Map([[DOCUMENT, documentWith(textOf(DOCUMENT), all)]]);
  for (const { reproduction, figures } of all)
    for (const file of new Set(reproduction.quoted.map((quote) => quote.in))) {
      const quotes = reproduction.quoted.filter((quote) => quote.in === file);
      texts.set(file, withQuotes(texts.get(file) ?? textOf(file), quotes, figures.rows));
    }
  return texts;
}
