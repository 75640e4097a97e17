// Sums over what was counted in a phase.

/**
 * @typedef {object} Phase
 * @property {string} phase
 * @property {number} seconds
 * @property {Record<string, number>} operations how many, by what they are
 * @property {Record<string, { acquisitions: number, waits?: number }>} latches by performance_schema's instrument
 */

/**
 * @param {Phase} phase
 * @param {RegExp} pattern of instruments
 */
export const acquisitionsOf = ({ latches }, pattern) =>
  Object.entries(latches)
    .filter(([name]) => pattern.test(name))
    .reduce((sum, [, { acquisitions }]) => sum + acquisitions, 0);
