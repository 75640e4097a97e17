// `latchscope lab exercises` lists the exercises of the latch lab; `latchscope lab judge EXERCISE
// FILE` judges an attempt at one.
import { readArguments, usageError } from './command-line.mjs';
import { requireWritable, writeJson } from './files.mjs';
import { readExercises } from './lab-exercises.mjs';
import { judgeAttempt } from './lab-judging.mjs';
import { UsageError } from './processes.mjs';
import { ensureNodeModules } from './setup/index.mjs';

/** Exit codes from docs/reference/command-line.md. A failed check counts as a broken invariant. */
const EXIT = { checkFailed: 1, cannotWrite: 4 };
const JUDGE_USAGE = `latchscope lab judge EXERCISE FILE [--json FILE]
    EXERCISE   name or number of an exercise; latchscope lab exercises lists them
    FILE       the latch, or - for standard input
    --json     writes the judgement as JSON to this file, or - for standard output
Exit code 0: all checks hold; 1: a check fails; 2: bad usage or a compile error; 3: the engine failed;
4: the result cannot be written.
`;

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
  const { values, positionals } = readArguments(
    args,
    { json: { type: 'string' } },
    { withPositionals: true },
  );
  const [name, file, ...more] = positionals;
  if (file === undefined || more.length > 0)
    throw new UsageError(
      `lab judge: got ${positionals.length} arguments; allowed: EXERCISE FILE, and --json FILE`,
    );
  if (values.json !== undefined && values.json !== '-') requireWritable('--json', values.json);
  await ensureNodeModules();
  const exercise = chosen(await readExercises(), name);
  const judgement = await judgeAttempt(exercise, await compileFile(file));
  if (values.json !== '-') print(exercise, judgement);
  if (!judgement.holds) process.exitCode = EXIT.checkFailed;
  write(values.json, { version: 1, exercise: exercise.id, ...judgement });
}

function write(target, judgement) {
  try {
    writeJson(target, judgement);
  } catch (error) {
    console.error(`--json: ${target} cannot be written: ${error.message}`);
    process.exitCode = EXIT.cannotWrite;
  }
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
