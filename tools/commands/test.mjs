// npm test: everything that can fail, but for what is long by nature. Sets up what is missing, then runs each check below, and goes on after a failure so
// that one run shows all of them.
//   npm test [-- --only name[,name ...]] [--long] [--fresh]
//   --long    also what is long by nature: each lesson and the watchdog's half minutes in Chromium, all that can be tested in
//             Firefox, two minutes of random work under the thread sanitizer. npm run test:long is the same
//   --fresh   throws away all that was built before, first
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { buildEngineForPage, buildNative, buildPage, configureForTidy, throwAwayBuilds } from '../builds.mjs';
import { namesOf, readArguments } from '../command-line.mjs';
import { repository, runCommand } from '../processes.mjs';
import {
  ensureChromium,
  ensureFirefox,
  ensureNativeToolchain,
  ensureNodeModules,
  SetupError,
} from '../setup/index.mjs';

const bin = (name) => join(repository, 'node_modules/.bin', name);
const npx = (name, ...args) => runCommand(bin(name), args);
const node = (...args) => runCommand(process.execPath, args);

/** All files below a folder with one of the endings, generated ones left out. */
function filesBelow(folder, ...endings) {
  return readdirSync(join(repository, folder), { recursive: true })
    .filter((path) => endings.some((ending) => path.endsWith(ending)) && !path.includes('gen/'))
    .map((path) => join(folder, path))
    .sort();
}

async function clangFormat() {
  const { clangFormat: program, env } = await ensureNativeToolchain({ format: true });
  await runCommand(program, ['--dry-run', '--Werror', ...filesBelow('wasm-engine', '.cc', '.h')], {
    env: { ...process.env, ...env },
  });
}

// Together, the files of a room are read in a tenth of the time: most of it goes into the headers.
async function clangTidy() {
  const { folder, toolchain } = await configureForTidy();
  const options = ['-p', folder, `--config-file=${TIDY_CONFIG}`, '--quiet', '--warnings-as-errors=*'];
  await twoAtATime(unitsForTidy(folder), (unit) =>
    runCommand(toolchain.clangTidy, [...options, unit], {
      env: { ...process.env, ...toolchain.env },
      quietUnlessFailed: true,
    }),
  );
}

const TIDY_CONFIG = join(repository, 'wasm-engine/.clang-tidy');

/** All that is compiled, as it is compiled, but for the tests and GoogleTest. */
function unitsForTidy(folder) {
  return JSON.parse(readFileSync(join(folder, 'compile_commands.json'), 'utf8'))
    .map(({ file }) => file)
    .filter((file) => !/\/(tests|engine_tests\.dir|googletest)\//.test(file));
}

/** Does all of the work, two pieces at a time, and then fails with the first failure. */
async function twoAtATime(list, work) {
  const left = [...list];
  const failures = [];
  const takeTheNext = async () => {
    while (left.length > 0) await work(left.shift()).catch((error) => failures.push(error));
  };
  await Promise.all([takeTheNext(), takeTheNext()]);
  if (failures.length > 0) throw new Error(failures.map(({ message }) => message).join('\n'));
}

// Hundreds of lines; what is left are the failures, with their output, and the closing lines.
const TEST_STARTED_OR_PASSED = /^ *(Start +\d+: |\d+\/\d+ Test +#\d+: .* Passed )/;

async function engineTests(flavour, { soak_s = 2, target = 'all' } = {}) {
  const { folder, toolchain } = await buildNative(flavour, { target });
  await runCommand(
    toolchain.ctest,
    ['--test-dir', folder, '--output-on-failure', '--parallel', '2', '--no-tests=error'],
    {
      env: { LATCHSCOPE_SOAK_SECONDS: String(soak_s), ...process.env, ...toolchain.env },
      leaveOut: TEST_STARTED_OR_PASSED,
    },
  );
}

async function pageTests({ isLong }) {
  await buildPage();
  const { path } = await ensureChromium();
  const long = isLong ? { LATCHSCOPE_LONG: '1' } : {};
  const env = { ...process.env, CHROMIUM_PATH: path, ...(await firefoxVariable()), ...long };
  await runCommand(bin('playwright'), ['test'], { env });
}

async function firefoxVariable() {
  try {
    return { FIREFOX_PATH: (await ensureFirefox()).path };
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    console.log(`No Firefox, so nothing is run in it: ${error.message}`);
    return {};
  }
}

// In this order: what is quick and fails often comes first.
const checks = {
  architecture: () => node('tools/check-architecture.mjs'),
  prettier: () => npx('prettier', '--check', '.'),
  types: async () => {
    await buildEngineForPage();
    await npx('tsc', '-p', 'tsconfig.json');
    await npx('tsc', '-p', 'tsconfig.worker.json');
    await npx('tsc', '-p', 'tsconfig.node.json');
  },
  eslint: () => npx('eslint', '--max-warnings', '0', '.'),
  'clang-format': clangFormat,
  tools: () => node('--test', ...filesBelow('tools', '.test.mjs')),
  web: () => npx('vitest', 'run'),
  engine: () => engineTests('native'),
  'engine-virtual': () => engineTests('virtual'),
  claims: () => node('tools/claims.mjs'),
  determinism: () => node('tools/determinism.mjs'),
  reproduction: () => node('tools/reproduce.mjs', '--check'),
  census: () => node('tools/census.mjs'),
  'front-page': () => node('tools/front-page-runs.mjs', '--check'),
  'adding-a-bug': () => node('tools/check-adding-a-bug.mjs'),
  'clang-tidy': clangTidy,
  'engine-tsan': ({ isLong }) => engineTests('tsan', { soak_s: isLong ? 120 : 8, target: 'engine_tests' }),
  'engine-asan': () => engineTests('asan', { target: 'engine_tests' }),
  page: pageTests,
};

async function runCheck(name, extent) {
  console.log(`\n=== ${name}`);
  const began_ms = Date.now();
  let error;
  try {
    await checks[name](extent);
  } catch (caught) {
    error = caught;
    console.error(caught.message);
  }
  const outcome = { name, seconds: ((Date.now() - began_ms) / 1000).toFixed(1), error };
  console.log(lineOf(outcome));
  return outcome;
}

const lineOf = ({ name, seconds, error }) =>
  `${error ? 'FAILED' : 'passed'}  ${name.padEnd(14)} ${seconds.padStart(7)} s`;

export async function main(args) {
  const { values } = readArguments(args, {
    only: { type: 'string' },
    long: { type: 'boolean', default: false },
    fresh: { type: 'boolean', default: false },
  });
  const names = namesOf('--only', values.only, Object.keys(checks));
  if (values.fresh) await throwAwayBuilds();
  await ensureNodeModules();
  const outcomes = [];
  for (const name of names) outcomes.push(await runCheck(name, { isLong: values.long }));
  console.log('');
  for (const outcome of outcomes) console.log(lineOf(outcome));
  const failed = outcomes.filter((outcome) => outcome.error).length;
  console.log(`\nchecks: ${outcomes.length - failed} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
}
