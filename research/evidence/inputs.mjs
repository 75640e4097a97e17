// Computes a digest of every file that stored evidence depends on. While the digest is the same,
// runs on the virtual server give the same results, as `determinism` shows on each machine.
// Comments, documents and tests do not count.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { filesBelow, filesKnownToGit } from '../../tools/file-digests.mjs';
import { writeFormatted } from '../../tools/files.mjs';
import { repository } from '../../tools/processes.mjs';
import { readSource } from '../../tools/source-text.mjs';

const FILE = 'scenarios/evidence-inputs.json';
const LOCK_FILE = 'package-lock.json';

/**
 * Engine, scenarios with their stored results, tools that measure, the contract, and installed
 * libraries.
 */
const ROOTS = ['wasm-engine', 'scenarios', 'tools', 'research', 'web/contract', LOCK_FILE];
const NO_INPUT =
  /^wasm-engine\/(tests|bench)\/|(^|\/)gen\/|\.test\.(mjs|ts|tsx)$|\.md$|\.d\.ts$|\.clang-tidy$|^(tools\/(setup|test|test-hosts)|research\/(attack|bench|proofs))\//;
/** Of scenarios only JSON and workloads count: results do not depend on lessons and stories. */
const ONLY_DATA = /^scenarios\/.*(?<!\.json|\.workload)$/;

/**
 * @typedef {object} Inputs
 * @property {string} written_by
 * @property {string} inputs the digest of the input files
 * @property {string[]} found the closing line of each kind of evidence
 */

/**
 * @param {string} [root] of a repository
 * @returns {string} SHA-256 over the paths and the code of all inputs, in hexadecimal
 */
export function digestOfInputs(root = repository) {
  const roots = ROOTS.filter((path) => existsSync(join(root, path)));
  const files = filesKnownToGit(root, roots) ?? roots.flatMap((path) => filesBelow(root, path));
  const inputs = files.filter((path) => path !== FILE && !NO_INPUT.test(path) && !ONLY_DATA.test(path));
  const hash = createHash('sha256');
  for (const path of inputs.toSorted()) {
    const code = codeOf(path, readFileSync(join(root, path), 'utf8'));
    hash.update(`${path}\0${code.length}\0${code}`);
  }
  return hash.digest('hex');
}

/** Libraries that only build and check the project do not change results. */
function codeOf(path, text) {
  if (path !== LOCK_FILE) return readSource(path, text).code;
  const installed = Object.entries(JSON.parse(text).packages ?? {});
  return JSON.stringify(installed.filter(([folder, { dev }]) => folder !== '' && !dev));
}

/**
 * @param {string} [root] of a repository
 * @returns {string[] | null} the closing lines of the stored evidence; null if an input has changed
 *   since
 */
export function foundWithTheseInputs(root = repository) {
  const path = join(root, FILE);
  if (!existsSync(path)) return null;
  /** @type {Inputs} */
  const { inputs, found } = JSON.parse(readFileSync(path, 'utf8'));
  return inputs === digestOfInputs(root) ? found : null;
}

/**
 * Stores the digest with the closing lines.
 * REQUIRES: all kinds of evidence hold for all scenarios, and every file is written.
 * @param {string[]} found the closing lines
 */
export async function storeInputs(found) {
  /** @type {Inputs} */
  const content = { written_by: 'npm run evidence -- --update', inputs: digestOfInputs(), found };
  await writeFormatted(join(repository, FILE), JSON.stringify(content));
}
