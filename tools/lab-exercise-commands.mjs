// `latchscope lab exercises` lists the exercises of the latch lab; `latchscope lab judge EXERCISE
// FILE` judges an attempt at one.
import { readArguments, usageError } from './command-line.mjs';
import { readExercises } from './lab-exercises.mjs';
import { judgeAttempt } from './lab-judging.mjs';
import { gradescopeReport, junitReport } from './lab-reports.mjs';
import { UsageError } from './processes.mjs';
import { isOutputFree, requestedReports, writeReports } from './report-files.mjs';
import { ensureNodeModules } from './setup/index.mjs';

/** Exit code from docs/reference/command-line.md. A failed check counts as a broken invariant. */
const CHECK_FAILED = 1;
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
  if (!judgement.holds) process.exitCode = CHECK_FAILED;
  await write(reports, exercise, { judgement });
}

function asJson({ id }, { judgement }) {
  return `${JSON.stringify({ version: 1, exercise: id, ...judgement }, null, 2)}\n`;
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
