// npm test: sets up missing tools, then runs the checks below. It continues after a failure, so
// that one run shows all failures.
//   npm test [-- --only name[,name ...]] [--changed [base]] [--long] [--fresh]
//   --only      runs the named checks
//   --changed   runs only checks that a change since `base` can turn red, and only on changed files
//               where a check reads files one by one. `base` is a commit, by default the one where this
//               branch left main; uncommitted changes count
//   --long      adds the long checks (tools/test/long-run.mjs), like npm run test:long
//   --fresh     removes all builds first, and repeats checks that passed before with the same files
// Some checks depend only on files and programs. Such a check is not repeated after it has passed
// with the same files, unless it is named, or --long or --fresh is given.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { buildEngineForPage, buildNative, buildPage, throwAwayBuilds } from '../builds.mjs';
import { namesOf, readArguments, usageError } from '../command-line.mjs';
import { makeNpmPackage } from '../npm-package.mjs';
import { keepingOutput, repository, runCommand } from '../processes.mjs';
import {
  ensureChromium,
  ensureCompilerCache,
  ensureFirefox,
  ensureNativeToolchain,
  ensureNodeModules,
  SetupError,
} from '../setup/index.mjs';
import { checkUnits } from '../test/clang-tidy.mjs';
import { changedFiles } from '../test/changed-files.mjs';
import { affectedChecks, filesOf } from '../test/checks-by-path.mjs';
import { digestOfCheck, inputsOfCheck } from '../test/check-inputs.mjs';
import { addedByLongRun, lastGreen, recordLastGreen } from '../test/long-run.mjs';
import { passesOf } from '../test/passes.mjs';
import { sideBySide } from '../test/side-by-side.mjs';

const bin = (name) => join(repository, 'node_modules/.bin', name);
const PRETTIER_CACHE = ['--cache', '--cache-strategy=content', '--cache-location=build/prettier-cache'];
const npx = (name, ...args) => runCommand(bin(name), args);
const node = (...args) => runCommand(process.execPath, args);

/** Returns all files below a folder with one of the endings, except generated files. */
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

// The output has hundreds of lines. Only failures, with their output, and the closing lines are
// kept.
const TEST_STARTED_OR_PASSED = /^ *(Start +\d+: |\d+\/\d+ Test +#\d+: .* Passed )/;

/** Ends a hanging test file. Far longer than any file takes on a busy machine. */
const HANG_MS = 2_400_000;

/**
 * A process under ThreadSanitizer waits a second for its threads before it exits, and half of the
 * tests wait for files or timers.
 */
const TSAN_AT_ONCE = 4;

async function engineTests(flavour, { isLong, soak_s = 2, target = 'all', at_once = 2 }) {
  const { folder, toolchain } = await buildNative(flavour, { target });
  await runCommand(
    toolchain.ctest,
    ['--test-dir', folder, '--output-on-failure', '--parallel', String(at_once), '--no-tests=error'],
    {
      env: { LATCHSCOPE_SOAK_SECONDS: String(soak_s), ...environmentOf(isLong), ...toolchain.env },
      leaveOut: TEST_STARTED_OR_PASSED,
    },
  );
}

/** With --changed, a check reads only changed files. Some changes leave no file to check. */
async function onFiles(check, { changed }, { all, some }) {
  const files = changed === null ? 'all' : filesOf(check, changed.present);
  if (files === 'all') await all();
  else if (files.length > 0) await some(files);
}

async function types() {
  for (const name of ['tsconfig', 'tsconfig.worker', 'tsconfig.node'])
    await npx(
      'tsc',
      '-p',
      `${name}.json`,
      '--incremental',
      '--tsBuildInfoFile',
      `build/types/${name}.tsbuildinfo`,
    );
}

async function pageTests({ isLong, changed }) {
  await buildPage();
  const env = { ...environmentOf(isLong), ...(await chromiumVariables()), ...(await firefoxVariable()) };
  const which = changed === null ? [] : [`--only-changed=${changed.base}`, '--pass-with-no-tests'];
  await runCommand(bin('playwright'), ['test', ...which], { env });
}

const toolTests = () => ['tools', 'research'].flatMap((folder) => filesBelow(folder, '.test.mjs'));

/** Tests read LATCHSCOPE_LONG to choose their longer form. */
const environmentOf = (isLong) => ({ ...process.env, ...(isLong ? { LATCHSCOPE_LONG: '1' } : {}) });

async function chromiumVariables() {
  const { path, headless_shell = path } = await ensureChromium();
  return { CHROMIUM_PATH: path, CHROMIUM_HEADLESS_SHELL_PATH: headless_shell };
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

// In order: quick checks that often fail come first.
const checks = {
  architecture: () => node('tools/cli.mjs', 'check-architecture'),
  prettier: (extent) =>
    onFiles('prettier', extent, {
      // Prettier's cache goes by versions, settings and contents.
      all: () => npx('prettier', '--check', ...PRETTIER_CACHE, '.'),
      some: (files) => npx('prettier', '--check', '--ignore-unknown', ...files),
    }),
  text: () => node('tools/cli.mjs', 'lint-text'),
  types,
  eslint: (extent) =>
    onFiles('eslint', extent, {
      all: () => npx('eslint', '--max-warnings', '0', '.'),
      some: (files) => npx('eslint', '--max-warnings', '0', '--no-warn-ignored', ...files),
    }),
  'clang-format': clangFormat,
  tools: ({ isLong }) =>
    runCommand(process.execPath, ['--test', `--test-timeout=${HANG_MS}`, ...toolTests()], {
      env: environmentOf(isLong),
    }),
  web: (extent) =>
    onFiles('web', extent, {
      all: () => runCommand(bin('vitest'), ['run'], { env: environmentOf(extent.isLong) }),
      some: (files) => npx('vitest', 'related', '--run', '--passWithNoTests', ...files),
    }),
  engine: ({ isLong }) => engineTests('native', { isLong }),
  'engine-virtual': ({ isLong }) => engineTests('virtual', { isLong }),
  evidence: ({ isLong }) => node('tools/cli.mjs', 'evidence', '--check', ...(isLong ? [] : ['--if-changed'])),
  'adding-a-bug': () => node('tools/cli.mjs', 'check-adding-a-bug'),
  'clang-tidy': checkUnits,
  'engine-tsan': ({ isLong }) =>
    engineTests('tsan', { isLong, soak_s: isLong ? 120 : 8, target: 'engine_tests', at_once: TSAN_AT_ONCE }),
  'engine-asan': ({ isLong }) => engineTests('asan', { isLong, target: 'engine_tests' }),
  'engine-apart': () => buildNative('apart'),
  page: pageTests,
  package: async () => {
    await makeNpmPackage();
    const tests = ['installed', 'installed-playwright', 'gradescope'].map(
      (name) => `tools/package/${name}.mjs`,
    );
    await runCommand(process.execPath, ['--test', `--test-timeout=${HANG_MS}`, ...tests], {
      env: { ...process.env, ...(await chromiumVariables()) },
    });
  },
};

export const checkNames = Object.keys(checks);
/**
 * Checks that run only with --long or by name: the tests that also run under the sanitizers, and
 * whether each file includes everything it uses.
 */
const LONG = ['engine', 'engine-apart'];

/**
 * Checks that keep one core busy. Two of them run at a time. Quick checks come first, then the
 * longest, and last those that wait for the engine's build, so that no core idles at the end.
 * Other checks use both cores or must not be disturbed.
 */
const SINGLE_THREADED = [
  'architecture',
  'clang-format',
  'prettier',
  'text',
  'tools',
  'web',
  'eslint',
  'types',
];
const COMPILE_NOTHING = ['architecture', 'prettier', 'text', 'clang-format', 'clang-tidy'];
/** Checks that read files that the engine's build writes for the page. */
const READ_GENERATED = ['types', 'eslint', 'web'];

/** Sets up ccache. Without it every build compiles everything, which takes minutes more. */
async function setUpCompilerCache() {
  try {
    await ensureCompilerCache();
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    console.log(`No ccache, so nothing that was compiled before is used: ${error.message}`);
  }
}

async function runCheck(name, extent) {
  const beganMs = Date.now();
  const error = await checks[name](extent).then(
    () => undefined,
    (caught) => caught,
  );
  if (error !== undefined) console.error(error.message);
  return { name, seconds: ((Date.now() - beganMs) / 1000).toFixed(1), error };
}

async function runAlone(name, extent) {
  console.log(`\n=== ${name}`);
  const outcome = await runCheck(name, extent);
  console.log(lineOf(outcome));
  return outcome;
}

const readsGenerated = (name) => READ_GENERATED.includes(name);

/** Runs a check beside others, and prints its output in one piece at the end. */
async function runBeside(name, extent) {
  let outcome;
  const { output } = await keepingOutput(async () => (outcome = await runCheck(name, extent)));
  process.stdout.write(`\n=== ${name}\n${output}${lineOf(outcome)}\n`);
  return { ...outcome, output };
}

/** The number of closing lines that ctest prints. */
const CLOSING_LINES = 8;
const closingLines = (output) => output.split('\n').filter(Boolean).slice(-CLOSING_LINES);

/** Runs a check, unless it has passed before with the same inputs. */
async function runUnlessPassed(name, run, { extent, passes }) {
  const isWhole = extent.changed === null && !extent.isLong;
  // If the inputs cannot be read, the check fails too and reports the reason.
  const inputs = isWhole ? await inputsOfCheck(name).catch(() => null) : null;
  if (inputs === null) return run(name, extent);
  const digest = digestOfCheck(name, inputs);
  if (extent.isKnownEnough && passes.has(digest)) return passedBefore(name, passes.note(digest));
  const outcome = await runBeside(name, extent);
  const day = new Date().toISOString().slice(0, 10);
  if (!outcome.error) passes.add(digest, [day, ...closingLines(outcome.output)].join('\n'));
  return outcome;
}

function passedBefore(name, note) {
  const [day, ...closing] = note.split('\n');
  const outcome = { name, seconds: '0.0', isKnown: true };
  console.log(
    [
      `\n=== ${name}`,
      `It passed on ${day} with these very files and programs, so it is not run again. With --fresh it is.`,
      ...closing,
      lineOf(outcome),
    ].join('\n'),
  );
  return outcome;
}

async function runChecks(names, extent) {
  const known = { extent, passes: passesOf('checks') };
  const beside = SINGLE_THREADED.filter((name) => names.includes(name));
  const engine = beside.some(readsGenerated) ? buildEngineForPage() : Promise.resolve();
  engine.catch(() => {}); // Each check that awaits it fails with it.
  const outcomes = await sideBySide(beside, 2, async (name) => {
    if (readsGenerated(name)) await engine;
    return runUnlessPassed(name, runBeside, known);
  });
  for (const name of names.filter((one) => !beside.includes(one)))
    outcomes.push(await runUnlessPassed(name, runAlone, known));
  return outcomes;
}

const lineOf = ({ name, seconds, error, isKnown }) =>
  `${error ? 'FAILED' : isKnown ? 'known ' : 'passed'}  ${name.padEnd(14)} ${seconds.padStart(7)} s`;

/** Returns the names of the checks to run, and the changed files if --changed was given. */
async function whatToRun({ only, isChanged, long, base }) {
  const wished = namesOf('--only', only, checkNames);
  if (!isChanged)
    return {
      names: wished.filter((name) => long || only !== undefined || !LONG.includes(name)),
      changed: null,
    };
  const changed = await changedFiles(base);
  const affected = affectedChecks(changed.paths, checkNames);
  const names = affected.checks.filter((name) => wished.includes(name));
  const files = `${changed.paths.length} ${changed.paths.length === 1 ? 'file' : 'files'}`;
  console.log(
    `${files} changed since ${changed.base.slice(0, 10)}: ${names.join(', ') || 'nothing to check'}`,
  );
  if (affected.later.length > 0)
    console.log(
      `Takes minutes, so not run here, but can be affected too: npm test -- --only ${affected.later.join()}`,
    );
  return { names, changed };
}

export async function main(args) {
  const { values, positionals } = readArguments(
    args,
    {
      only: { type: 'string' },
      changed: { type: 'boolean', default: false },
      long: { type: 'boolean', default: false },
      fresh: { type: 'boolean', default: false },
    },
    { withPositionals: true },
  );
  const [base, ...more] = positionals;
  if (more.length > 0 || (base !== undefined && !values.changed))
    throw usageError('argument', positionals.join(' '), 'one commit, after --changed');
  const { names, changed } = await whatToRun({ ...values, isChanged: values.changed, base });
  if (values.long) console.log(`The long run adds to npm test:\n- ${addedByLongRun.join('\n- ')}`);
  if (values.fresh) await throwAwayBuilds();
  await ensureNodeModules();
  if (names.some((name) => !COMPILE_NOTHING.includes(name))) await setUpCompilerCache();
  const beganMs = Date.now();
  const isKnownEnough = values.only === undefined && !values.fresh && !values.long;
  const outcomes = await runChecks(names, { isLong: values.long, changed, isKnownEnough });
  console.log('');
  for (const outcome of outcomes) console.log(lineOf(outcome));
  const failed = outcomes.filter((outcome) => outcome.error).length;
  const known = outcomes.filter((outcome) => outcome.isKnown).length;
  const ofThem = known > 0 ? ` (${known} of them before, with the same files)` : '';
  console.log(`\nchecks: ${outcomes.length - failed} passed${ofThem}, ${failed} failed`);
  await tellOfLongRun({ isLong: values.long, isGreen: failed === 0, names, began_ms: beganMs });
  process.exitCode = failed > 0 ? 1 : 0;
}

async function tellOfLongRun({ isLong, isGreen, names, began_ms }) {
  if (!isLong) console.log(`npm run test:long: ${lastGreen()}`);
  else if (isGreen && names.length === checkNames.length)
    console.log(await recordLastGreen((Date.now() - began_ms) / 1000));
}
