// The file of what was measured: one for each bug, server and machine.
import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';

import { duplicates, fault, faultsOfSchema, oneOf } from '../field-faults.mjs';
import { readJson, ScenarioError } from '../scenario-manifests.mjs';
import { EXPERIMENTS, experimentNamed } from './experiments.mjs';

export const MEASURED_VERSION = 1;

/** A count in the file is one that its phases give, but for rounding. */
const ROUNDING = 1e-4;

/**
 * @typedef {object} Run
 * @property {number} clients
 * @property {import('./phases.mjs').Phase[]} phases
 * @property {Record<string, number>} counts per operation, by figure
 * @typedef {object} Measured
 * @property {1} version
 * @property {string} scenario
 * @property {string} measured_at
 * @property {string} command
 * @property {{ name: string, version: string, comment: string, packaged: string | null }} server
 * @property {{ cpu_model: string, cores: number, memory_mib: number, kernel: string }} machine
 * @property {{ experiment: string, options: string[], settings: Record<string, string>, runs: Run[] }[]} experiments
 */

/** @param {number} value */
export const rounded = (value) => Number(value.toFixed(4));

/** @param {Record<string, number>} counts */
export const roundedAll = (counts) =>
  Object.fromEntries(Object.entries(counts).map(([figure, value]) => [figure, rounded(value)]));

/** Where the files of a bug lie. */
export const measuredFolder = (scenarios, scenario) => join(scenarios, scenario, 'measured');

/** Costs lie beside counts: they want a quiet machine, and are measured alone. */
const areCosts = ({ experiments }) =>
  experiments.some(({ experiment }) => experimentNamed(experiment)?.isCost ?? false);

/** @param {Measured} measured */
export const measuredFileName = ({ server, machine, experiments }) =>
  `${server.name.split('-')[0]}-${/^[\d.]+/.exec(server.version)}-${machine.cores}-cores${areCosts({ experiments }) ? '-costs' : ''}.json`;

/**
 * @param {string} scenarios path of the folder scenarios/
 * @param {string} scenario id
 * @returns {string[]} paths
 */
export function measuredFiles(scenarios, scenario) {
  const folder = measuredFolder(scenarios, scenario);
  if (!statSync(folder, { throwIfNoEntry: false })) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => join(folder, name));
}

/**
 * @param {string} scenarios path of the folder scenarios/
 * @param {string} scenario id
 * @returns {Promise<Measured[]>} throws ScenarioError that names all that is wrong in all of its files
 */
export async function readMeasured(scenarios, scenario) {
  const schema = readJson(join(scenarios, 'measured.schema.json'), 'scenarios/measured.schema.json');
  const schemaFaults = await faultsOfSchema(schema);
  const problems = [];
  const documents = [];
  for (const path of measuredFiles(scenarios, scenario)) {
    const file = `scenarios/${scenario}/measured/${basename(path)}`;
    try {
      const document = readJson(path, file);
      problems.push(...faultsOf(document, scenario, schemaFaults).map((line) => `${file}: ${line}`));
      documents.push(document);
    } catch (error) {
      if (!(error instanceof ScenarioError)) throw error;
      problems.push(...error.problems);
    }
  }
  if (problems.length > 0) throw new ScenarioError(problems);
  return documents;
}

/** Whether it is of another version or bug is said first, and alone: then nothing else can be held against it. */
function faultsOf(document, scenario, schemaFaults) {
  const version = document?.version;
  if (Number.isInteger(version) && version > MEASURED_VERSION)
    return [fault('version', version, `${MEASURED_VERSION}; this file is of a newer Latchscope`)];
  if (typeof document?.scenario === 'string' && document.scenario !== scenario)
    return [fault('scenario', document.scenario, `"${scenario}", whose folder it is in`)];
  const faults = schemaFaults(document);
  return faults.length > 0 ? faults : faultsBeyondSchema(document);
}

/** @param {Measured} measured */
function faultsBeyondSchema({ scenario, experiments }) {
  const known = EXPERIMENTS.filter((one) => one.scenario === scenario).map(({ experiment }) => experiment);
  const faults = duplicates(experiments.map(({ experiment }) => experiment)).map((name) =>
    fault('experiments', name, 'each experiment once'),
  );
  for (const [i, { experiment, runs }] of experiments.entries()) {
    const field = `experiments[${i}]`;
    if (!known.includes(experiment)) {
      faults.push(fault(`${field}.experiment`, experiment, oneOf(known)));
      continue;
    }
    faults.push(
      ...duplicates(runs.map(({ clients }) => String(clients))).map((clients) =>
        fault(`${field}.runs`, clients, 'each number of clients once'),
      ),
      ...runs.flatMap((run, k) => runFaults(`${field}.runs[${k}]`, experimentNamed(experiment), run)),
    );
  }
  return faults;
}

function runFaults(field, { figures }, { phases, counts }) {
  const impossible = phases.flatMap(({ latches }, i) =>
    Object.entries(latches)
      .filter(([, { acquisitions, waits = 0 }]) => waits > acquisitions)
      .map(([name, { acquisitions, waits }]) =>
        fault(
          `${field}.phases[${i}].latches.${name}.waits`,
          waits,
          `${acquisitions} or less, its acquisitions`,
        ),
      ),
  );
  if (impossible.length > 0) return impossible;
  const actual = figuresOrNull(figures, phases);
  if (actual === null)
    return [
      fault(
        `${field}.phases`,
        phases.map(({ phase }) => phase),
        'those of its experiment',
      ),
    ];
  const names = [...new Set([...Object.keys(actual), ...Object.keys(counts)])];
  return names
    .filter(
      (name) => !(Math.abs(counts[name] - actual[name]) <= ROUNDING * Math.max(1, Math.abs(actual[name]))),
    )
    .map((name) =>
      fault(
        `${field}.counts.${name}`,
        counts[name],
        actual[name] === undefined ? 'no such count' : `${rounded(actual[name])}, as its phases have it`,
      ),
    );
}

function figuresOrNull(figures, phases) {
  try {
    const found = figures(phases);
    return Object.values(found).every(Number.isFinite) ? found : null;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return null; // A phase or an operation is missing.
  }
}
