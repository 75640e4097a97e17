// Parses a program's arguments. A wrong argument throws a UsageError that names the option, its
// value and what is allowed.
import { parseArgs } from 'node:util';

import { UsageError } from './processes.mjs';

const SHOWN_MAX = 60;

/** Formats a value for a message: on one line, and truncated if it is too long. */
export function shown(value) {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}...` : text;
}

/**
 * @param {string} field such as `--port`
 * @param {unknown} value
 * @param {string} allowed
 */
export const usageError = (field, value, allowed) =>
  new UsageError(`${field}: got ${shown(value)}; allowed: ${allowed}`);

/**
 * @param {string[]} args
 * @param {Record<string, { type: 'string' | 'boolean', default?: string | boolean }>} options as
 *   for `parseArgs`
 * @param {{ withPositionals?: boolean }} [rest] `withPositionals`: whether positional arguments are
 *   allowed
 * @returns {{ values: Record<string, any>, positionals: string[] }}
 */
export function readArguments(args, options, { withPositionals = false } = {}) {
  const { tokens, values, positionals } = parseArgs({ args, options, strict: false, tokens: true });
  for (const token of tokens) {
    if (token.kind === 'option') requireKnown(token, options);
    if (token.kind === 'positional' && !withPositionals)
      throw usageError('argument', token.value, optionNames(options));
  }
  return { values, positionals };
}

/**
 * Finds the first option of a name, written as "--name value" or "--name=value", among options that
 * another program reads.
 * @param {string[]} args
 * @param {string} name such as `--spec`
 * @returns {{ value: string | undefined, rest: string[] } | undefined} `rest`: the other arguments
 */
export function findOption(args, name) {
  const options = { [name.slice(2)]: /** @type {const} */ ({ type: 'string' }) };
  const { tokens } = parseArgs({ args, options, strict: false, tokens: true });
  const found = tokens.find((token) => token.kind === 'option' && token.rawName === name);
  return found && { value: found.value, rest: args.toSpliced(found.index, found.inlineValue ? 1 : 2) };
}

function requireKnown({ name, rawName, value, inlineValue }, options) {
  if (!Object.hasOwn(options, name)) throw usageError('option', rawName, optionNames(options));
  const takesValue = options[name].type === 'string';
  if (!takesValue && value !== undefined) throw usageError(rawName, value, 'no value');
  const isMissing = value === undefined || value === '' || (!inlineValue && /^-./.test(value));
  if (takesValue && isMissing) throw usageError(rawName, value, 'a value');
}

function optionNames(options) {
  const names = Object.keys(options).map((name) => `--${name}`);
  return names.length > 0 ? names.join(', ') : 'no options';
}

/**
 * Parses a decimal integer within a range.
 * @param {string} option its name without the dashes
 * @param {string} text
 * @param {{ min: number, max: number }} range
 */
export function integerOf(option, text, { min, max }) {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < min || value > max)
    throw usageError(`--${option}`, text, `an integer from ${min} to ${max}`);
  return value;
}

/**
 * Parses a comma-separated list such as "web,engine". Repeated names are dropped.
 * @param {string} field its name in messages
 * @param {string | undefined} text undefined selects all allowed names
 * @param {string[]} allowed
 */
export function namesOf(field, text, allowed) {
  return requireNames(field, text === undefined ? allowed : text.split(','), allowed);
}

/** @returns {string[]} the names without repeats */
export function requireNames(field, names, allowed) {
  for (const name of names) {
    if (!allowed.includes(name)) throw usageError(field, name, allowed.join(', '));
  }
  return [...new Set(names)];
}
