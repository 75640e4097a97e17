// Defines the faults of inputs, and describes them in sentences. Makes text from outside (a link, a
// file, a field) safe to show in one.

/** Maximum length of a printed text. */
export const PRINTABLE_CHARACTERS_MAX = 120;

// Control characters, characters without width or that change the direction of text, line and
// paragraph separators, and half of a surrogate pair.
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Reports whether `printable` would escape nothing. */
export const isVisible = (text: string) => text.search(HIDDEN) < 0;

const escaped = (text: string) =>
  text.replaceAll(HIDDEN, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);

/**
 * Makes a text short enough for a sentence, on one line, with all characters visible. For a longer
 * text, returns its beginning and its length. Applying it twice changes nothing.
 */
export function printable(text: string): string {
  const beginning = escaped(text.slice(0, PRINTABLE_CHARACTERS_MAX));
  if (text.length <= PRINTABLE_CHARACTERS_MAX && beginning.length <= PRINTABLE_CHARACTERS_MAX) {
    return beginning;
  }
  const end = `… (${text.length.toLocaleString('en')} characters)`;
  return withoutHalfPair(beginning.slice(0, PRINTABLE_CHARACTERS_MAX - end.length)) + end;
}

const withoutHalfPair = (text: string) => text.replace(/[\uD800-\uDBFF]$/, '');

/**
 * One fault of an input. The engine, the page and the command line report it with the value as
 * text.
 */
export interface Fault<Value = string> {
  /**
   * Path of the field, such as `parameters.tables` or `actions[0].at_s`; empty for the whole input.
   */
  field: string;
  value: Value;
  /** The accepted values, in words. */
  allowed: string;
}

/** Maximum number of reported faults per input. */
export const FAULTS_TOLD_MAX = 8;

/**
 * Returns the first faults for scripts. Names and values come from a link, a file or a field, so
 * they are made printable.
 */
export const toldFaults = (errors: readonly Fault[]): Fault[] =>
  errors
    .slice(0, FAULTS_TOLD_MAX)
    .map(({ field, value, allowed }) => ({ field: printable(field), value: printable(value), allowed }));

/** Returns the first faults in sentences, with the number of the others. */
export function describeFaults(errors: readonly Fault[]): string[] {
  const more = errors.length - FAULTS_TOLD_MAX;
  const sentences = toldFaults(errors).map(
    ({ field, value, allowed }) => `${field} is ${value === '' ? 'empty' : value}; allowed: ${allowed}`,
  );
  return more > 0 ? [...sentences, `and ${more.toLocaleString('en')} more`] : sentences;
}

/** Refuses content of every version but the current one. */
export function versionFaults(version: unknown, current: number): Fault[] {
  if (version === current) return [];
  const isNewer = typeof version === 'number' && version > current;
  const allowed = isNewer ? `${current} (written by a newer Latchscope)` : String(current);
  return [{ field: 'version', value: describeValue(version), allowed }];
}

/** Formats any value, even a script's, for error messages. */
export function describeValue(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value;
    case 'undefined':
      return 'missing';
    case 'function':
      return 'a function';
    case 'object':
      return objectAsJson(value);
    default:
      return String(value);
  }
}

function objectAsJson(value: object | null): string {
  try {
    const json: unknown = JSON.stringify(value);
    return typeof json === 'string' ? json : 'an object';
  } catch {
    return 'an object that is not JSON';
  }
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
