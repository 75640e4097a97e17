// Stores results of the engine in scenarios/, in one form for all kinds of evidence. Each file
// names the command that wrote it, the engine, the runs, and the figures that came out of the runs.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { engineVersion } from '../../tools/build-inputs.mjs';
import { shown } from '../../tools/command-line.mjs';
import { repository } from '../../tools/processes.mjs';
import { readJson } from '../../tools/scenario-files.mjs';

/**
 * @typedef {{ runs: Record<string, import('./scenario-runs.mjs').RecordedRun>, figures: any }}
 *   ScenarioResults
 * @typedef {object} Stored
 * @property {string} written_by
 * @property {{ version: string, digest: string }} engine `digest` covers all run results of
 *   scenarios/determinism.json, so it changes when the engine's results do
 * @property {Record<string, ScenarioResults>} scenarios
 */

/** By kind of evidence. */
const FILES = {
  determinism: 'determinism.json',
  reproduction: 'reproduction-results.json',
  census: 'census-results.json',
  'front-page': 'front-page-results.json',
  stage: 'stage-courses.json',
  lesson: 'lesson-courses.json',
  reports: 'more-reports-results.json',
};

/** The number of changes that are listed for a file. */
const NAMED_MAX = 5;

export const storedFiles = Object.values(FILES);
export const storedFile = (kind) => `scenarios/${FILES[kind]}`;

/**
 * @param {string} scenarios path of the folder scenarios/
 * @param {keyof typeof FILES} kind
 * @returns {Record<string, ScenarioResults>} by scenario
 */
export function readStored(scenarios, kind) {
  const path = join(scenarios, FILES[kind]);
  return existsSync(path) ? readJson(path, storedFile(kind)).scenarios : {};
}

/**
 * Returns the stored file of a kind with these results. Results of other scenarios stay.
 * @param {string} scenarios
 * @param {keyof typeof FILES} kind
 * @param {({ scenario: string } & ScenarioResults)[]} results
 * @returns {Stored}
 */
export function storedWith(scenarios, kind, results) {
  const all = { ...readStored(scenarios, kind) };
  for (const { scenario, runs, figures } of results) all[scenario] = { runs, figures };
  const determinism = kind === 'determinism' ? all : readStored(scenarios, 'determinism');
  return {
    written_by: `npm run evidence -- ${kind} --update`,
    engine: { version: engineVersion(), digest: digestOf(determinism) },
    scenarios: inOrder(all),
  };
}

const inOrder = (byScenario) => Object.fromEntries(Object.entries(byScenario).sort());

function digestOf(determinism) {
  const digests = Object.values(inOrder(determinism)).map(({ figures }) => figures);
  return createHash('sha256').update(JSON.stringify(digests)).digest('hex').slice(0, 16);
}

/**
 * @param {string} file path from the root of the repository
 * @returns {string | null} its text; null if it does not exist
 */
export function textOf(file) {
  const path = join(repository, file);
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}

/**
 * @param {string} file
 * @param {string | null} text its current text; null if it does not exist
 * @param {string} now the expected text
 * @returns {string[]} the differences, a line each
 */
export function differences(file, text, now) {
  if (!file.endsWith('.json'))
    return withoutSpacing(text) === withoutSpacing(now) ? [] : [`${file}: says something else`];
  const all = changes('', JSON.parse(text ?? '{}'), JSON.parse(now)).map((line) => `${file}: ${line}`);
  return all.length > NAMED_MAX
    ? [...all.slice(0, NAMED_MAX), `${file}: ${all.length - NAMED_MAX} more`]
    : all;
}

/** @returns {string[]} a line for each innermost field that differs */
function changes(field, before, now) {
  if (JSON.stringify(before) === JSON.stringify(now)) return [];
  if (!isNested(before) || !isNested(now))
    return [`${field}: says ${shown(before)}, but the engine gives ${shown(now)}`];
  const inner = [...new Set([...Object.keys(before), ...Object.keys(now)])].flatMap((name) =>
    changes(field === '' ? name : `${field}.${name}`, before[name], now[name]),
  );
  return inner.length > 0 ? inner : [`${field}: in another order`];
}

const isNested = (value) => typeof value === 'object' && value !== null;

/** Removes the column widths of tables, which do not count in a comparison. */
function withoutSpacing(markdown) {
  return markdown.replace(/[ \t]+/g, ' ').replace(/\| *-+ */g, '| - ');
}
