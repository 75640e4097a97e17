// `latchscope lab compile|check|bench FILE`: compiles the source of a latch. The native program, which checks and measures, gets the
// compiled program on its standard input. `lab exercises` and `lab judge` are in lab-exercise-commands.mjs, `lab literature` in
// lab-literature.mjs, `lab bench --beside` in lab-beside.mjs.
import { ensureNodeModules } from './setup/index.mjs';
import { usageError } from './command-line.mjs';
import { judgeCommand, listExercises } from './lab-exercise-commands.mjs';
import { benchBeside } from './lab-beside.mjs';
import { labLanguage } from './lab-language.mjs';
import { literatureCommand } from './lab-literature.mjs';
import { UsageError } from './processes.mjs';

const ACTIONS = ['check', 'bench', 'compile', 'exercises', 'judge', 'literature'];

/**
 * @param {string[]} args all of the command line
 * @param {(path: string) => Promise<{ text?: string, fileText?: string }>} read
 * @returns {Promise<{ args: string[], input?: string } | undefined>} what the native program is given; nothing if there is nothing
 * left for it
 */
export async function labCommand([, action, ...rest], read) {
  if (!ACTIONS.includes(action)) throw usageError('lab', action, ACTIONS.join(', '));
  if (action === 'exercises') return listExercises(rest);
  if (action === 'judge') return judgeCommand(rest, (file) => compileFile(file, read));
  if (action === 'literature') return literatureCommand(rest);
  const isHelp = (arg) => arg === '--help' || arg === '-h';
  if (action !== 'compile' && rest.some(isHelp)) return { args: ['lab', action, ...rest] };
  const options = action === 'compile' ? rest.filter((arg) => arg === '--json') : rest.slice(1);
  const [file, ...more] = action === 'compile' ? rest.filter((arg) => arg !== '--json') : rest;
  if (file === undefined || (file !== '-' && file.startsWith('-')))
    throw usageError(`lab ${action}`, file, 'first a FILE, or - for standard input');
  if (action === 'compile' && more.length > 0)
    throw usageError('lab compile', more[0], 'one FILE, and --json');
  const { program } = await compileFile(file, read);
  if (action === 'bench' && options.some(isBeside)) return benchBeside(program, options);
  const json = `${JSON.stringify(program)}\n`;
  if (action !== 'compile') return { args: ['lab', action, '-', ...options], input: json };
  const { disassemble } = await labLanguage();
  process.stdout.write(options.length > 0 ? json : disassemble(program));
  return undefined;
}

/** Of `lab bench`: others are measured, too. */
const isBeside = (arg) => arg === '--beside' || arg.startsWith('--beside=');

/**
 * @param {string} file
 * @param {(path: string) => Promise<{ text?: string, fileText?: string }>} read
 * @param {string} [argument] what names the file
 * @returns {Promise<import('../web/analysis/lab-judgement').Written>} throws a UsageError with all that is wrong with the source
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

/** Each error with its source line, and a line that points at what is meant. */
export function describeErrors(file, source, errors) {
  const lines = source.split('\n');
  return errors
    .map((error) => {
      const line = lines[error.line - 1] ?? '';
      const last = error.end_line === error.line ? error.end_column : line.length + 1;
      const pointer =
        line.slice(0, error.column - 1).replaceAll(/[^\t]/g, ' ') +
        '^'.repeat(Math.max(1, last - error.column));
      return `${file}:${error.line}:${error.column}: ${error.sentence}\n${line}\n${pointer}`;
    })
    .join('\n');
}
