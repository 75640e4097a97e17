// Checks a measured file beyond its schema (web/contract/scenario-files/measured.ts).
import { MEASURED_VERSION } from '../scenario-files/measured-version.mjs';
import { measurableNamed, MEASURABLES } from './experiments.mjs';

export { MEASURED_VERSION };

/** Counts in the file equal those computed from its phases, except for rounding. */
const ROUNDING = 1e-4;

/**
 * @typedef {import('../schema-faults').Fault} Fault
 * @typedef {import('../scenario-files/measured').Measured} Measured
 * @typedef {import('../scenario-files/measured').MeasuredExperiment} MeasuredExperiment
 * @typedef {import('../scenario-files/measured').MeasuredRun} Run
 */

/** @param {number} value */
const rounded = (value) => Number(value.toFixed(4));

/** @param {Record<string, number>} counts */
export const roundedAll = (counts) =>
  Object.fromEntries(Object.entries(counts).map(([figure, value]) => [figure, rounded(value)]));

const oneOf = (names) => `one of ${names.join(', ')}`;
const repeated = (names) => [...new Set(names.filter((name, i) => names.indexOf(name) !== i))];

/**
 * Checks the version first and alone: for a newer version, no other check applies.
 * @param {unknown} document
 * @returns {Fault[]}
 */
export function versionFaults(document) {
  const version = /** @type {any} */ (document)?.version;
  return Number.isInteger(version) && version > MEASURED_VERSION
    ? [
        {
          field: 'version',
          value: version,
          allowed: `${MEASURED_VERSION}; this file is of a newer Latchscope`,
        },
      ]
    : [];
}

/**
 * @param {Measured} measured that conforms to the schema
 * @returns {Fault[]}
 */
export function faultsBeyondSchema({ scenario, experiments }) {
  const known = MEASURABLES.filter((one) => one.scenario === scenario).map(({ experiment }) => experiment);
  /** @type {Fault[]} */
  const faults = repeated(experiments.map(({ experiment }) => experiment)).map((value) => ({
    field: 'experiments',
    value,
    allowed: 'each experiment once',
  }));
  for (const [i, { experiment, runs }] of experiments.entries()) {
    const field = `experiments[${i}]`;
    const measurable = measurableNamed(experiment);
    if (measurable === undefined || !known.includes(experiment)) {
      faults.push({ field: `${field}.experiment`, value: experiment, allowed: oneOf(known) });
      continue;
    }
    faults.push(
      ...repeated(runs.map(({ clients }) => String(clients))).map((value) => ({
        field: `${field}.runs`,
        value,
        allowed: 'each number of clients once',
      })),
      ...runs.flatMap((run, k) => runFaults(`${field}.runs[${k}]`, measurable, run)),
    );
  }
  return faults;
}

/**
 * @param {string} field
 * @param {import('./experiments.mjs').Measurable} measurable
 * @param {Run} run
 * @returns {Fault[]}
 */
function runFaults(field, { figures }, { phases, counts }) {
  const impossible = phases.flatMap(({ latches }, i) =>
    Object.entries(latches)
      .filter(([, { acquisitions, waits = 0 }]) => waits > acquisitions)
      .map(([name, { acquisitions, waits }]) => ({
        field: `${field}.phases[${i}].latches.${name}.waits`,
        value: waits,
        allowed: `${acquisitions} or less, its acquisitions`,
      })),
  );
  if (impossible.length > 0) return impossible;
  const actual = figuresOrNull(figures, phases);
  if (actual === null)
    return [
      {
        field: `${field}.phases`,
        value: phases.map(({ phase }) => phase),
        allowed: 'those of its experiment',
      },
    ];
  const names = [...new Set([...Object.keys(actual), ...Object.keys(counts)])];
  return names.flatMap((name) => {
    const value = Object.hasOwn(counts, name) ? counts[name] : undefined;
    const countField = `${field}.counts.${name}`;
    if (!Object.hasOwn(actual, name)) return [{ field: countField, value, allowed: 'no such count' }];
    const expected = actual[name];
    const isExpected =
      value !== undefined && Math.abs(value - expected) <= ROUNDING * Math.max(1, Math.abs(expected));
    return isExpected
      ? []
      : [{ field: countField, value, allowed: `${rounded(expected)}, as its phases have it` }];
  });
}

function figuresOrNull(figures, phases) {
  try {
    const found = figures(phases);
    return Object.values(found).every(Number.isFinite) ? found : null;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return null; // A phase or an operation is missing.
  }
}
