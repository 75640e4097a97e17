// Lists the inputs of checks that depend only on files and programs. Such a check passes again
// while its inputs are unchanged. Tests of the page and of the tools are not such checks: they run
// browsers, servers and real clocks.
import { createHash } from 'node:crypto';
import { realpathSync, statSync } from 'node:fs';

import { engineVersion } from '../build-inputs.mjs';
import { digestOfFiles, filesBelow, filesKnownToGit } from '../file-digests.mjs';
import { generateScenarios } from '../generate-scenarios.mjs';
import { repository } from '../processes.mjs';
import { ensureCppLibraries, ensureNativeToolchain } from '../setup/index.mjs';

/** Files that define how checks run and builds are made. */
const HOW_THEY_RUN = [
  'tools/commands/test.mjs',
  'tools/test',
  'tools/builds.mjs',
  'tools/build-inputs.mjs',
  'tools/build-folders.mjs',
];
/** Variables that change how the engine is built and tested. */
const OF_THE_ENGINE = /^(LATCHSCOPE_(?!CACHE$)|GTEST_|CMAKE_|CXX|CC$|(A|T|UB)SAN_OPTIONS$)/;

/** Returns a value that changes when a program is replaced. */
export function identityOf(program) {
  const place = realpathSync(program);
  const { size, mtimeMs } = statSync(place);
  return [place, size, mtimeMs];
}

async function programsOfTheEngine() {
  const { cxx, cmake, ctest, ninja } = await ensureNativeToolchain();
  return {
    programs: [cxx, cmake, ctest, ninja].map(identityOf),
    libraries: await ensureCppLibraries(),
    variables: Object.entries(process.env).filter(([name]) => OF_THE_ENGINE.test(name)),
  };
}

/** The engine with its tests, generated sources, and its version. */
async function inputsOfTheEngine() {
  await generateScenarios();
  const sources = filesBelow(repository, 'wasm-engine').filter((path) => !path.endsWith('.md'));
  return { files: sources, others: { version: engineVersion(), ...(await programsOfTheEngine()) } };
}

/**
 * All TypeScript and JavaScript, the files that the engine's build generates for it, and the
 * installed packages.
 */
function inputsOfScripts() {
  const known = filesKnownToGit(repository, ['.']);
  const scripts = known?.filter((path) =>
    /\.([cm]?js|tsx?)$|(^|\/)(tsconfig[^/]*|package|package-lock)\.json$|^\.npmrc$/.test(path),
  );
  const generated = filesBelow(repository, 'web/engine-client/gen').filter((file) => file.endsWith('ts'));
  return scripts && { files: [...scripts, ...generated], others: process.version };
}

const inputsByCheck = {
  types: inputsOfScripts,
  eslint: inputsOfScripts,
  'engine-virtual': inputsOfTheEngine,
  'engine-tsan': inputsOfTheEngine,
  'engine-asan': inputsOfTheEngine,
};

/**
 * @param {string} check
 * @returns {Promise<{ files: string[], others: unknown } | null>} all inputs of the check: files of
 *   the repository, and comparable values of programs and variables; null if its inputs are not
 *   known completely
 */
export async function inputsOfCheck(check) {
  const inputs = await inputsByCheck[check]?.();
  if (!inputs) return null;
  const how = HOW_THEY_RUN.flatMap((path) => filesBelow(repository, path));
  return { ...inputs, files: [...new Set([...inputs.files, ...how])] };
}

/**
 * @param {string} check
 * @param {{ files: string[], others: unknown }} inputs
 * @param {string} [root] folder of the files
 */
export function digestOfCheck(check, { files, others }, root = repository) {
  const all = JSON.stringify([check, others, digestOfFiles(root, files)]);
  return createHash('sha256').update(all).digest('hex');
}
