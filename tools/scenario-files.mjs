// @ts-check
// Reads JSON files of scenarios/ and lab/ and checks each against its declaration in web/contract.
import { readFileSync } from 'node:fs';

import { contract } from './page-contract.mjs';
import { fault } from './field-faults.mjs';

/** @typedef {import('../web/contract/scenario-files/index').ScenarioFileKind} Kind */

/**
 * Thrown when files in scenarios/ have errors. Each of `problems` names a file, a field, its value
 * and what is allowed.
 */
export class ScenarioError extends Error {
  /** @param {string[]} problems */
  constructor(problems) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

/**
 * @param {string} path
 * @param {string} file its name in messages
 * @returns {any}
 */
export function readJson(path, file) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new ScenarioError([`${file}: is not JSON: ${error instanceof Error ? error.message : error}`]);
  }
}

/**
 * @param {Kind} kind
 * @param {unknown} document
 * @returns {Promise<string[]>} its faults, one line each: the field, its value and what is allowed
 */
export async function faultsOfKind(kind, document) {
  const { scenario_files } = await contract();
  return faultsOfSchema(scenario_files[kind].schema, document);
}

/**
 * @param {any} schema of web/contract
 * @param {unknown} document
 * @returns {Promise<string[]>} as faultsOfKind()
 */
export async function faultsOfSchema(schema, document) {
  const { schemaFaults } = await contract();
  return schemaFaults(schema, document).map(({ field, value, allowed }) =>
    fault(field === '' ? '(top level)' : field, value, allowed),
  );
}

/**
 * Reads a file and checks it. Throws a ScenarioError that lists every error.
 * @param {Kind} kind
 * @param {string} path
 * @param {string} file its name in messages
 * @param {(document: any) => string[] | Promise<string[]>} [faultsBeyond] finds faults that no
 *   schema can find; called only for a document that fits its schema
 * @returns {Promise<any>}
 */
export async function readChecked(kind, path, file, faultsBeyond = () => []) {
  const document = readJson(path, file);
  const faults = await faultsOfKind(kind, document);
  if (faults.length === 0) faults.push(...(await faultsBeyond(document)));
  if (faults.length > 0) throw new ScenarioError(faults.map((line) => `${file}: ${line}`));
  return document;
}
