// Runs the page's engine for the virtual server in Node. It needs neither threads nor shared
// memory.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { driverOf } from './engine-driver.mjs';

/**
 * Executes a run spec to its end.
 *
 * REQUIRES: The spec has a duration.
 * @param {string} folder build folder of the WebAssembly engine
 * @param {object} spec run spec; its version defaults to 1
 * @returns {Promise<string>} the run result as the engine wrote it
 */
export async function runInNode(folder, spec) {
  const driver = await driverIn(folder);
  driver.create(spec);
  driver.run();
  return driver.result();
}

/**
 * Executes a run twice and explains why one of its transactions was slow (docs/guide/explain.md).
 * @param {string} folder build folder of the WebAssembly engine
 * @param {object} spec run spec with a duration
 * @param {{ transaction: string, blame: boolean }} wanted
 * @returns {Promise<string>} the explanation as the engine wrote it
 */
export async function explainInNode(folder, spec, wanted) {
  return (await driverIn(folder)).explain(spec, wanted);
}

async function driverIn(folder) {
  const { default: createEngine } = await import(pathToFileURL(join(folder, 'engine-virtual.mjs')).href);
  return driverOf(await createEngine());
}
