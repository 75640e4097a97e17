// Computes a digest of everything that a build of the engine depends on.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { digestOfSetUp } from './build-folders.mjs';
import { digestOfFiles, filesBelow } from './file-digests.mjs';
import { repository } from './processes.mjs';

const TABLES = /\/(manifest|latches|servers)\.json$/;
const TOOLS = ['tools/setup', 'tools/builds.mjs', 'tools/generate-scenarios.mjs'];

/**
 * Returns the version of the engine. The build reads nothing else of package.json.
 * @param {string} [root]
 * @returns {string}
 */
export const engineVersion = (root = repository) =>
  JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version;

/**
 * Returns a digest of everything that a build of this folder depends on: sources, scenario tables,
 * the version, configuration, and the programs that build it.
 * @param {string} folder
 * @param {string} [root]
 */
export function digestOfInputs(folder, root = repository) {
  const sources = filesBelow(root, 'wasm-engine').filter((path) => !path.includes('/gen/'));
  const tables = filesBelow(root, 'scenarios').filter((path) => TABLES.test(path));
  const tools = TOOLS.flatMap((path) => filesBelow(root, path));
  const files = digestOfFiles(root, [...sources, ...tables, ...tools]);
  return `${files} ${engineVersion(root)} ${digestOfSetUp(folder)}`;
}
