// @ts-check
// Describes an error in a document on one line: the field, its value and what is allowed.

/**
 * @param {string} field such as `parameters[0].default`
 * @param {unknown} value
 * @param {string} allowed
 */
export function fault(field, value, allowed) {
  const shown = value === undefined ? 'nothing' : JSON.stringify(value);
  return `${field}: got ${shown.length > 60 ? `${shown.slice(0, 57)}...` : shown}; allowed: ${allowed}`;
}

/** @param {string[]} names */
export const oneOf = (names) => (names.length > 0 ? `one of ${names.join(', ')}` : 'none');

/**
 * @param {string[]} names
 * @returns {string[]} the names that occur more than once
 */
export const duplicates = (names) => [...new Set(names.filter((name, i) => names.indexOf(name) !== i))];
