// Reads files of measured counts. There is one for each bug, server and machine.
import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';

import { measurableNamed } from '../../web/contract/real-servers/experiments.mjs';
import { faultsBeyondSchema, versionFaults } from '../../web/contract/real-servers/measured-faults.mjs';
import { fault } from '../../tools/field-faults.mjs';
import { faultsOfKind, readJson, ScenarioError } from '../../tools/scenario-files.mjs';

/** @typedef {import('../../web/contract/real-servers/measured-faults.mjs').Measured} Measured */

/** Returns the folder of a bug's measured files. */
const measuredFolder = (scenarios, scenario) => join(scenarios, scenario, 'measured');

/** Costs are measured separately, on a quiet machine, and have their own file. */
const areCosts = ({ experiments }) =>
  experiments.some(({ experiment }) => measurableNamed(experiment)?.isCost ?? false);

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
 * Reads a bug's measured files. Throws a ScenarioError that lists every error in them.
 * @param {string} scenarios path of the folder scenarios/
 * @param {string} scenario id
 * @returns {Promise<Measured[]>}
 */
export async function readMeasured(scenarios, scenario) {
  const problems = [];
  const documents = [];
  for (const path of measuredFiles(scenarios, scenario)) {
    const file = `scenarios/${scenario}/measured/${basename(path)}`;
    try {
      const document = readJson(path, file);
      problems.push(...(await faultsOf(document, scenario)).map((line) => `${file}: ${line}`));
      documents.push(document);
    } catch (error) {
      if (!(error instanceof ScenarioError)) throw error;
      problems.push(...error.problems);
    }
  }
  if (problems.length > 0) throw new ScenarioError(problems);
  return documents;
}

const inWords = ({ field, value, allowed }) => fault(field, value, allowed);

/** Reports a wrong version or bug alone, since nothing else can be checked then. */
async function faultsOf(document, scenario) {
  const newer = versionFaults(document).map(inWords);
  if (newer.length > 0) return newer;
  if (typeof document?.scenario === 'string' && document.scenario !== scenario)
    return [fault('scenario', document.scenario, `"${scenario}", the name of its folder`)];
  const faults = await faultsOfKind('measured', document);
  return faults.length > 0 ? faults : faultsBeyondSchema(document).map(inWords);
}
