// Sums the counts of a phase.

/**
 * @typedef {object} Phase
 * @property {string} phase
 * @property {number} seconds
 * @property {Record<string, number>} operations counts by name
 * @property {Record<string, { acquisitions: number, waits?: number }>} latches by performance_schema's instrument
 */

/**
 * @param {Pick<Phase, 'latches'>} phase
 * @param {RegExp} pattern of instruments
 */
export const acquisitionsOf = ({ latches }, pattern) =>
  Object.entries(latches)
    .filter(([name]) => pattern.test(name))
    .reduce((sum, [, { acquisitions }]) => sum + acquisitions, 0);

/** @param {number[]} values */
export const sum = (values) => values.reduce((total, value) => total + value, 0);

/**
 * @param {Phase[]} phases
 * @param {string[]} names
 * @returns {Phase[]} throws a TypeError if one is missing
 */
export const phasesNamed = (phases, ...names) =>
  names.map((name) => {
    const found = phases.find(({ phase }) => phase === name);
    if (found === undefined) throw new TypeError(`the phase "${name}" is missing`);
    return found;
  });
