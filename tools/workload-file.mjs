// Workload files on the command line (docs/reference/workload-language.md): finds the file among the
// arguments, compiles it, and writes values of parameters in their units.
import { parseArgs } from 'node:util';
import { dirname, join } from 'node:path';

import { findOption, usageError } from './command-line.mjs';
import { UsageError } from './processes.mjs';
import { ensureNodeModules } from './setup/index.mjs';
import { describeErrors } from './source-errors.mjs';
import { workloadLanguage } from './workload-language.mjs';

const ENDING = '.workload';
const isWorkloadFile = (text) => typeof text === 'string' && text.endsWith(ENDING);

/**
 * Finds the workload file of a command: its first argument, or the value of --scenario.
 * @param {string[]} args the whole command line
 * @returns {{ file: string, rest: string[] } | undefined} `rest`: the other arguments
 */
export function workloadFileIn(args) {
  const [command, file, ...options] = args;
  const scenario = findOption(args, '--scenario');
  const isFirst = file !== undefined && !file.startsWith('-');
  if (!isFirst)
    return isWorkloadFile(scenario?.value) ? { file: scenario.value, rest: scenario.rest } : undefined;
  if (!isWorkloadFile(file)) throw usageError(command, file, `options, or a file that ends with ${ENDING}`);
  if (scenario !== undefined)
    throw usageError('--scenario', scenario.value, `nothing beside the file ${file}`);
  return { file, rest: [command, ...options] };
}

/**
 * Compiles a workload. Throws a UsageError that lists all errors of the source.
 * @param {string} file
 * @param {(path: string) => Promise<{ text?: string, fileText?: string }>} read
 * @param {string} [argument] the name of the argument in messages
 * @returns {Promise<import('../web/contract/workload-program').Workload>}
 */
export async function compileWorkloadFile(file, read, argument = 'FILE') {
  const { text, fileText } = await read(file);
  const source = text ?? fileText;
  if (source === undefined) throw usageError(argument, file, 'a readable text file of at most 1 MiB');
  await ensureNodeModules();
  const { compileWorkload } = await workloadLanguage();
  const { program, errors } = compileWorkload(source);
  if (errors) throw new UsageError(describeErrors(file, source, errors));
  return { source, program };
}

/**
 * Writes each `--param name=value` with the number in the parameter's unit. Values without a unit,
 * and unknown names, stay as they are; the engine reports them.
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

/**
 * Replaces each `"scenario": "FILE.workload"` of a JSON document by the compiled workload. Paths are
 * relative to the document.
 * @param {unknown} json
 * @param {string} documentPath
 * @param {(path: string) => Promise<{ text?: string, fileText?: string }>} read
 * @returns {Promise<unknown>}
 */
export async function withWorkloads(json, documentPath, read) {
  if (Array.isArray(json)) return Promise.all(json.map((one) => withWorkloads(one, documentPath, read)));
  if (typeof json !== 'object' || json === null) return json;
  const entries = await Promise.all(
    Object.entries(json).map(async ([field, value]) => [
      field,
      await withWorkloads(value, documentPath, read),
    ]),
  );
  const { scenario, ...rest } = Object.fromEntries(entries);
  if (scenario === undefined) return rest;
  if (!isWorkloadFile(scenario)) return { scenario, ...rest };
  const path = documentPath === '-' ? scenario : join(dirname(documentPath), scenario);
  return { scenario: 'workload', workload: await compileWorkloadFile(path, read, 'scenario'), ...rest };
}
