// Bug #117533: counts acquisitions per undo record that a consistent read follows.
import { acquisitionsOf, phasesNamed, sum } from './phases.mjs';

export const VERSIONS = [0, 1, 2];

const LATCHES = {
  fil_system: /\/fil_system_mutex$/,
  page_hash: /\/hash_table_locks$/,
  trx_purge_latch: /\/trx_purge_latch$/,
};
const ALWAYS_COUNTED = ['fil_system', 'trx_purge_latch'];
const NS_PER_US = 1000;

const figureOf = (latch) => `${latch} per undo record read`;
const phasesOf = (phases) => phasesNamed(phases, ...VERSIONS.map((n) => `${n} versions`));

/** @param {import('./phases.mjs').Phase[]} phases */
export function undoReadFigures(phases) {
  const [none, ...more] = phasesOf(phases);
  const found = {};
  for (const [latch, pattern] of Object.entries(LATCHES)) {
    const perRow = acquisitionsOf(none, pattern) / none.operations.rows_scanned;
    const beyond = ({ operations, ...phase }) =>
      acquisitionsOf(phase, pattern) - perRow * operations.rows_scanned;
    if (ALWAYS_COUNTED.includes(latch) || phases.some((phase) => acquisitionsOf(phase, pattern) > 0))
      found[figureOf(latch)] =
        sum(more.map(beyond)) / sum(more.map(({ operations }) => operations.undo_records_read));
  }
  return found;
}

/**
 * Omits latches that a row without versions also needs: one run cannot separate the two.
 * @param {import('./phases.mjs').Phase} run
 * @returns {Record<string, number>} by figure
 */
export const undoReadFiguresOfRun = (run) =>
  Object.fromEntries(
    ALWAYS_COUNTED.map((latch) => [
      figureOf(latch),
      acquisitionsOf(run, LATCHES[latch]) / run.operations.undo_records_read,
    ]),
  );

/** @param {import('./phases.mjs').Phase[]} phases */
export function undoReadCosts(phases) {
  const [none, once, twice] = phasesOf(phases).map(({ operations }) => operations);
  const perRowUs = none.cpu_us / none.rows_scanned;
  const beyondUs = once.cpu_us + twice.cpu_us - perRowUs * (once.rows_scanned + twice.rows_scanned);
  return {
    'CPU ns per row': perRowUs * NS_PER_US,
    'CPU ns per undo record read':
      (beyondUs * NS_PER_US) / (once.undo_records_read + twice.undo_records_read),
  };
}
