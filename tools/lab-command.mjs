// `latchscope lab compile|check|bench FILE`: compiles the source of a latch. The native program,
// which checks and measures, reads the compiled program from standard input. Other actions are in
// other files:
// - `lab exercises` and `lab judge`: lab-exercise-commands.mjs
// - `lab literature`: lab-literature.mjs
// - `lab bench --beside`: lab-beside.mjs
import { ensureNodeModules } from './setup/index.mjs';
import { findOption, usageError } from './command-line.mjs';
import { judgeCommand, listExercises } from './lab-exercise-commands.mjs';
import { benchBeside } from './lab-beside.mjs';
import { labLanguage } from './lab-language.mjs';
import { literatureCommand } from './lab-literature.mjs';
import { requireWritable, writeWhole } from './files.mjs';
import { UsageError } from './processes.mjs';
import { describeErrors } from './source-errors.mjs';

const ACTIONS = ['check', 'bench', 'compile', 'exercises', 'judge', 'literature'];
const LAB_USAGE = `latchscope lab ACTION ...
    check FILE             searches for a schedule in which the latch fails
    bench FILE             measures the latch by thread count; --beside LATCH,... adds others
    compile FILE           prints the compiled instructions of the latch
    exercises              lists the exercises
    judge EXERCISE FILE    judges an attempt at an exercise
    literature [CLAIM ...] compares published claims with contests here
latchscope lab ACTION --help lists the options of an action.
`;
const COMPILE_USAGE = `latchscope lab compile FILE [--json [FILE]]
    FILE     the latch, or - for standard input
    --json   writes the program as JSON to this file; default, or with -: to standard output
Exit code 0: the latch compiles; 2: bad usage or a compile error; 4: the result cannot be written.
`;
const EXERCISES_USAGE = `latchscope lab exercises
Lists the names and titles of the exercises.
`;
const isHelp = (arg) => arg === '--help' || arg === '-h';

/**
 * @param {string[]} args the whole command line
 * @param {(path: string) => Promise<{ text?: string, fileText?: string }>} read
 * @returns {Promise<{ args: string[], input?: string } | undefined>} arguments and input for the
 *   native program; undefined if the command is already complete
 */
export async function labCommand([, action, ...rest], read) {
  if (isHelp(action)) return print(LAB_USAGE);
  if (!ACTIONS.includes(action)) throw usageError('lab', action, ACTIONS.join(', '));
  if (action === 'exercises') return rest.some(isHelp) ? print(EXERCISES_USAGE) : listExercises(rest);
  if (action === 'judge') return judgeCommand(rest, (file) => compileFile(file, read));
  if (action === 'literature') return literatureCommand(rest);
  if (action === 'compile') return rest.some(isHelp) ? print(COMPILE_USAGE) : compileCommand(rest, read);
  if (rest.some(isHelp)) return { args: ['lab', action, ...rest] };
  const [file, ...options] = rest;
  requireFile(action, file);
  const { program } = await compileFile(file, read);
  if (action === 'bench' && findOption(options, '--beside')) return benchBeside(program, options);
  return { args: ['lab', action, '-', ...options], input: `${JSON.stringify(program)}\n` };
}

const print = (text) => void process.stdout.write(text);

function requireFile(action, file) {
  if (file === undefined || (file !== '-' && file.startsWith('-')))
    throw usageError(`lab ${action}`, file, 'a FILE, or - for standard input, as the first argument');
}

/** `--json` may come before or after FILE, with or without a value. */
async function compileCommand(args, read) {
  const jsonAt = args.findIndex((arg) => arg === '--json' || arg.startsWith('--json='));
  const isTarget = (arg, at) => at === jsonAt + 1 && jsonAt >= 0 && args.length > 2;
  const inline = args[jsonAt]?.split('=', 2)[1];
  const target = inline ?? args.find(isTarget) ?? '-';
  const [file, ...more] = args.filter(
    (arg, at) => at !== jsonAt && (inline !== undefined || !isTarget(arg, at)),
  );
  requireFile('compile', file);
  if (more.length > 0) throw usageError('lab compile', more[0], 'one FILE, and --json [FILE]');
  if (target === '') throw usageError('--json', target, 'a file, or - for standard output');
  if (target !== '-') requireWritable('--json', target);
  const { program } = await compileFile(file, read);
  const { disassemble } = await labLanguage();
  if (jsonAt < 0) print(disassemble(program));
  else if (target === '-') print(`${JSON.stringify(program)}\n`);
  else writeWhole(target, `${JSON.stringify(program)}\n`);
}

/**
 * Compiles a latch. Throws a UsageError that lists all errors of the source.
 * @param {string} file
 * @param {(path: string) => Promise<{ text?: string, fileText?: string }>} read
 * @param {string} [argument] the name of the argument in messages
 * @returns {Promise<import('../web/analysis/lab-judgement').Written>}
 */
export async function compileFile(file, read, argument = 'FILE') {
  const { text, fileText } = await read(file);
  const source = text ?? fileText;
  if (source === undefined) throw usageError(argument, file, 'a readable text file of at most 1 MiB');
  await ensureNodeModules();
  const { compile } = await labLanguage();
  const compiled = compile(source);
  if (compiled.errors) throw new UsageError(describeErrors(file, source, compiled.errors));
  return { source, program: compiled.program };
}
