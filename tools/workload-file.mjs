// Workload files on the command line (docs/reference/workload-language.md): finds the file among the
// arguments, compiles it, and writes values of parameters in their units.
import { statSync } from 'node:fs';
import { parseArgs } from 'node:util';

import { findOption, usageError } from './command-line.mjs';
import { UsageError } from './processes.mjs';
import { ensureNodeModules } from './setup/index.mjs';
import { describeErrors } from './source-errors.mjs';
import { workloadLanguage } from './workload-language.mjs';

/** @typedef {import('../web/contract/workload-program').Workload} Workload */

const ENDING = '.workload';
export const isWorkloadFile = (text) => typeof text === 'string' && text.endsWith(ENDING);

const BOM = /^\uFEFF/;
const BYTES_MAX = 1024 * 1024;

/** Options whose value may be the name of a file. */
const FILE_OPTIONS = ['--scenario', '--json', '--spec', '--your-latch'];

/**
 * Finds the workload file of a command: an argument, or the value of --scenario.
 * @param {string[]} args the whole command line
 * @returns {{ file: string, rest: string[] } | undefined} `rest`: the other arguments
 */
export function workloadFileIn(args) {
  const [command, first] = args;
  const scenario = findOption(args, '--scenario');
  const isAlone = (arg, place) =>
    isWorkloadFile(arg) && !arg.startsWith('-') && !FILE_OPTIONS.includes(args[place - 1]);
  const [file, second] = args.filter(isAlone);
  if (first !== undefined && !first.startsWith('-') && !isWorkloadFile(first))
    throw usageError(command, first, `options, or a file that ends with ${ENDING}`);
  if (file === undefined)
    return isWorkloadFile(scenario?.value) ? { file: scenario.value, rest: scenario.rest } : undefined;
  if (scenario !== undefined)
    throw usageError('--scenario', scenario.value, `nothing beside the file ${file}`);
  if (second !== undefined) throw usageError(command, second, `no second file beside ${file}`);
  return { file, rest: args.toSpliced(args.findIndex(isAlone), 1) };
}

/**
 * Compiles a workload. Throws a UsageError that lists all errors of the source.
 * @param {string} file
 * @param {(path: string) => Promise<{ text?: string, fileText?: string }>} read
 * @returns {Promise<Workload>}
 */
export async function compileWorkloadFile(file, read) {
  const source = await sourceOf(file, read);
  if (source === undefined) throw usageError('FILE', file, whatCanBeRead(file));
  return compileWorkloadText(source, file);
}

/**
 * @param {string} file
 * @param {(path: string) => Promise<{ text?: string, fileText?: string }>} read
 */
export async function sourceOf(file, read) {
  const { text, fileText } = await read(file);
  return text ?? fileText;
}

/**
 * Compiles the text of a workload, otherwise like compileWorkloadFile().
 * @param {string} source
 * @param {string} name the name of the text in messages
 * @returns {Promise<Workload>}
 */
export async function compileWorkloadText(source, name) {
  await ensureNodeModules();
  const { compileWorkload } = await workloadLanguage();
  const { program, errors } = compileWorkload(source);
  if (errors) throw new UsageError(describeErrors(name, source, errors));
  return { source, program };
}

/** Says what a file must be that could not be read. */
export function whatCanBeRead(file) {
  const status = statSync(file, { throwIfNoEntry: false });
  if (status === undefined) return 'a file that exists';
  if (status.isDirectory()) return 'a file, not a folder';
  return status.size > BYTES_MAX
    ? `a file of at most ${BYTES_MAX} bytes, not ${status.size}`
    : 'a file that you may read';
}

/**
 * Compiles the workload of a run spec if it is a text. The scenario may be left out beside a
 * workload.
 * @param {any} spec
 * @param {string} [name] the name of the text in messages
 */
export async function withCompiledWorkload(spec, name = 'workload') {
  if (spec?.workload === undefined) return spec;
  const { scenario = 'workload', workload: given, ...rest } = spec;
  if (isWorkloadFile(given)) throw usageError(name, given, 'the text of a workload file, not its name');
  const workload =
    typeof given === 'string' ? await compileWorkloadText(given.replace(BOM, ''), name) : given;
  return { scenario, workload, ...rest };
}

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Replaces each run spec of a document of checks.
 * @param {any} document
 * @param {(spec: object, field: string) => Promise<object>} replace
 */
export async function withRunSpecs(document, replace) {
  if (!Array.isArray(document?.checks)) return document;
  const replaced = async (check, place) => {
    const kind = ['run', 'compare'].find((field) => isObject(check?.[field]));
    if (kind === undefined) return check;
    return { ...check, [kind]: await replace(check[kind], `checks[${place}].${kind}`) };
  };
  return { ...document, checks: await Promise.all(document.checks.map(replaced)) };
}

/**
 * Writes each `--param name=value` with the number in the parameter's unit. Throws a UsageError for a
 * value that the parameter cannot have. Unknown names stay as they are; the engine reports them.
 * @param {string[]} args
 * @param {import('../web/contract/workload-program').WorkloadProgram} program
 */
export async function withParametersInUnits(args, { parameters }) {
  const { parameterInUnits } = await workloadLanguage();
  const { tokens } = parseArgs({ args, options: { param: { type: 'string' } }, strict: false, tokens: true });
  const converted = [...args];
  for (const token of tokens) {
    if (token.kind !== 'option' || token.rawName !== '--param' || token.value === undefined) continue;
    const [name, ...rest] = token.value.split('=');
    const parameter = parameters.find(({ id }) => id === name);
    if (parameter === undefined) continue;
    const value = parameterInUnits(parameter, rest.join('='));
    if (!value.ok) throw usageError(`--param ${name}`, rest.join('='), value.allowed);
    const written = `${name}=${value.value}`;
    converted[token.inlineValue ? token.index : token.index + 1] = token.inlineValue
      ? `--param=${written}`
      : written;
  }
  return converted;
}
