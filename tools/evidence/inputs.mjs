// What the stored evidence was computed from: a digest over every file that a result depends on. While it is the same, a
// run on the virtual server would give the same results again, as the runs of `determinism` show on each machine.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

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

function filesBelow(root, path) {
  if (!statSync(join(root, path)).isDirectory()) return [path];
  return readdirSync(join(root, path)).flatMap((name) => filesBelow(root, `${path}/${name}`));
}

/**
 * @param {string} [root] of a repository
 * @returns {string} SHA-256 over the paths and contents of all inputs
 */
export function digestOfInputs(root = repository) {
  const files = ROOTS.flatMap((path) => filesBelow(root, path)).filter(
    (path) => path !== FILE && !NO_INPUT.test(path),
  );
  const hash = createHash('sha256');
  for (const path of files.sort()) {
    const content = readFileSync(join(root, path));
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
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
