// `latchscope lab exercises` lists the exercises of the latch lab. `latchscope lab judge EXERCISE FILE`
// judges an attempt at one. It writes the judgement as JSON, JUnit XML, or results.json of Gradescope
// (https://gradescope-autograders.readthedocs.io/en/latest/specs/).
import { readArguments, usageError } from './command-line.mjs';
import { readExercises } from './lab-exercises.mjs';
import { judgeAttempt } from './lab-judging.mjs';
import { moduleOfPage } from './page-module.mjs';
import { EXIT, UsageError } from './processes.mjs';
import { isOutputFree, requestedReports, writeReports } from './report-files.mjs';
import { ensureNodeModules } from './setup/index.mjs';

/** @type {() => Promise<typeof import('../web/analysis/lab-exercise-words')>} */
const words = moduleOfPage('web/analysis/lab-exercise-words.ts');

const POINTS_PER_CHECK = 1;
const NOT_JUDGED = 'Not judged.';

const JUDGE_USAGE = `latchscope lab judge EXERCISE FILE [--json FILE] [--junit FILE] [--gradescope FILE]
    EXERCISE      name or number of an exercise; latchscope lab exercises lists them
    FILE          the latch, or - for standard input
    --json        writes the judgement as JSON to this file, or - for standard output
    --junit       the same as JUnit XML
    --gradescope  the same as results.json of Gradescope
If FILE cannot be read or compiled, --junit and --gradescope write why, and no check holds.
Exit code 0: all checks hold; 1: a check fails; 2: bad usage or a compile error; 3: the engine failed;
4: the result cannot be written.
`;

/**
 * The formats of a judgement, by option. `writesRefused`: whether there is also a report about an
 * attempt that cannot be judged.
 * @type {Record<string, { writesRefused: boolean, textOf: (exercise: any, outcome: any) => string | Promise<string> }>}
 */
const FORMATS = {
  '--json': { writesRefused: false, textOf: asJson },
  '--junit': { writesRefused: true, textOf: junitReport },
  '--gradescope': { writesRefused: true, textOf: gradescopeReport },
};

/** @param {string[]} args */
export async function listExercises(args) {
  readArguments(args, {});
  await ensureNodeModules();
  for (const { id, title } of await readExercises()) console.log(`${id.padEnd(28)} ${title}`);
}

/**
 * @param {string[]} args
 * @param {(file: string) => Promise<import('../web/analysis/lab-judgement').Written>} compileFile
 */
export async function judgeCommand(args, compileFile) {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(JUDGE_USAGE);
    return;
  }
  const options = Object.fromEntries(Object.keys(FORMATS).map((name) => [name.slice(2), { type: 'string' }]));
  const { values, positionals } = readArguments(args, options, { withPositionals: true });
  const [name, file, ...more] = positionals;
  if (file === undefined || more.length > 0)
    throw new UsageError(
      `lab judge: got ${positionals.length} arguments; allowed: EXERCISE FILE, and ${Object.keys(FORMATS).join(', ')}`,
    );
  const reports = requestedReports(FORMATS, values);
  await ensureNodeModules();
  const exercise = chosen(await readExercises(), name);
  const attempt = await compileFile(file).catch(async (error) => {
    if (error instanceof UsageError) await write(reports, exercise, { refused: error.message });
    throw error;
  });
  const judgement = await judgeAttempt(exercise, attempt);
  if (isOutputFree(reports)) print(exercise, judgement);
  if (!judgement.holds) process.exitCode = EXIT.failed;
  await write(reports, exercise, { judgement });
}

function asJson({ id }, { judgement }) {
  return `${JSON.stringify({ version: 1, exercise: id, ...judgement }, null, 2)}\n`;
}

/**
 * @typedef {import('../web/contract/lab-exercise').LabExercise} LabExercise
 * @typedef {{ judgement: import('../web/contract/lab-results.ts').Judgement } | { refused: string }} Outcome
 *   `refused`: why the attempt cannot be judged, such as its compile errors
 */

/**
 * Formats a report with one test for each check of the exercise.
 * @param {LabExercise} exercise
 * @param {Outcome} outcome
 * @returns {Promise<string>}
 */
async function junitReport(exercise, { judgement, refused }) {
  // Imported here: npm packages may not be installed yet.
  const { junitXml } = await import('./junit.mjs');
  const names = await namesOfChecks(exercise);
  const tests = names.map((name, i) => {
    const test = { name, className: exercise.id };
    if (refused !== undefined) return { ...test, error: refused };
    const { holds, sentence } = judgement.checks[i];
    return { ...test, [holds ? 'output' : 'failure']: sentence };
  });
  return junitXml({ name: exercise.id, tests });
}

/**
 * Formats results.json. Each check is a test, and all checks are worth the same. Gradescope hides
 * standard output from students, because it repeats the tests.
 * @param {LabExercise} exercise
 * @param {Outcome} outcome
 * @returns {Promise<string>}
 */
async function gradescopeReport(exercise, { judgement, refused }) {
  const names = await namesOfChecks(exercise);
  const tests = names.map((name, i) => {
    const { holds, sentence } = judgement?.checks[i] ?? { holds: false, sentence: NOT_JUDGED };
    return {
      name,
      status: holds ? 'passed' : 'failed',
      score: holds ? POINTS_PER_CHECK : 0,
      max_score: POINTS_PER_CHECK,
      output: sentence,
      visibility: 'visible',
    };
  });
  const report = {
    score: tests.reduce((sum, { score }) => sum + score, 0),
    ...(refused === undefined ? {} : { output: refused }),
    visibility: 'visible',
    stdout_visibility: 'hidden',
    tests,
  };
  return `${JSON.stringify(report, null, 2)}\n`;
}

/** Returns what each check requires, as the page lists it. */
async function namesOfChecks({ checks }) {
  const { wantedBy } = await words();
  return checks.map(wantedBy);
}

function write(reports, exercise, outcome) {
  const written = reports.filter(({ format }) => outcome.refused === undefined || format.writesRefused);
  return writeReports(written, ({ textOf }) => textOf(exercise, outcome));
}

/** @param {import('../web/contract/lab-exercise').LabExercise[]} exercises */
function chosen(exercises, name) {
  const number = /^\d{1,2}$/.test(name) ? `${name.padStart(2, '0')}-` : undefined;
  const exercise = exercises.find(({ id }) => id === name || (number !== undefined && id.startsWith(number)));
  if (exercise === undefined)
    throw usageError('EXERCISE', name, `one of ${exercises.map(({ id }) => id).join(', ')}, or its number`);
  return exercise;
}

function print({ id, title }, { checks }) {
  console.log(`${id}: ${title}\n`);
  for (const { holds, sentence } of checks) console.log(`  ${holds ? 'holds' : 'FAILS'}  ${sentence}`);
  const held = checks.filter(({ holds }) => holds).length;
  console.log(`\n${held} of ${checks.length} checks hold.`);
  if (checks.some(({ kind, holds }) => kind === 'right' && !holds))
    console.log('Run latchscope lab check FILE to see the schedule step by step.');
}
