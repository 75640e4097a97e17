// What the stored evidence was computed from: a digest over every file that a result depends on. While it is the same, a
// run on the virtual server would give the same results again, as the runs of `determinism` show on each machine.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { digestOfFiles, filesBelow, filesKnownToGit } from '../file-digests.mjs';
import { writeFormatted } from '../files.mjs';
import { repository } from '../processes.mjs';

const FILE = 'scenarios/evidence-inputs.json';

/** Engine, scenarios with all that is stored in them, tools that measure, the contract, and documents that quote figures. */
const ROOTS = [
  'wasm-engine',
  'scenarios',
  'tools',
  'web/contract',
  'web/analysis/real-servers',
  'docs',
  'README.md',
  'package-lock.json',
];
const NO_INPUT =
  /^wasm-engine\/(tests|bench)\/|(^|\/)gen\/|\.test\.(mjs|ts|tsx)$|^tools\/(setup|attack|bench|test|test-hosts)\/|^docs\/images\//;

/**
 * @typedef {object} Inputs
 * @property {string} written_by
 * @property {string} inputs digest of the files
 * @property {string[]} found the closing lines of the runs
 */

/**
 * @param {string} [root] of a repository
 * @returns {string} SHA-256 over the paths and contents of all inputs
 */
export function digestOfInputs(root = repository) {
  const files = (filesKnownToGit(root, ROOTS) ?? ROOTS.flatMap((path) => filesBelow(root, path))).filter(
    (path) => path !== FILE && !NO_INPUT.test(path),
  );
  return digestOfFiles(root, files);
}

/**
 * @param {string} [root] of a repository
 * @returns {string[] | null} the closing lines of the stored evidence; null if an input has changed since
 */
export function foundWithTheseInputs(root = repository) {
  const path = join(root, FILE);
  if (!existsSync(path)) return null;
  /** @type {Inputs} */
  const { inputs, found } = JSON.parse(readFileSync(path, 'utf8'));
  return inputs === digestOfInputs(root) ? found : null;
}

/**
 * Call when all kinds of evidence hold for all scenarios, with every file written.
 * @param {string[]} found the closing lines
 */
export async function storeInputs(found) {
  /** @type {Inputs} */
  const content = { written_by: 'npm run evidence -- --update', inputs: digestOfInputs(), found };
  await writeFormatted(join(repository, FILE), JSON.stringify(content));
}
