// Computes CPU time of the server's process per statement. Phases are named after the statements
// (research/real-servers/cpu-costs.mjs).
import { phasesNamed } from './phases.mjs';

/** Rows of a range select, and inserts of a multi-insert transaction. */
export const RANGE_ROWS = 100;
export const INSERTS = 5;
const NS_PER_US = 1000;

/**
 * @param {import('./phases.mjs').Phase[]} phases
 * @returns {(name: string) => number}
 */
const cpuOf = (phases) => (name) => cpuPerOperation(phasesNamed(phases, name)[0]);

/** @param {import('./phases.mjs').Phase} phase */
export const cpuPerOperation = ({ operations }) => operations.cpu_us / operations.operations;

const perInsert = (us) => (us('inserts') - us('one_insert')) / (INSERTS - 1);

/** @param {import('./phases.mjs').Phase[]} phases */
export function statementCosts(phases) {
  const us = cpuOf(phases);
  return {
    'CPU us per statement that does nothing': us('nothing'),
    'CPU us per point select': us('point_select'),
    'CPU ns per row of a range select':
      ((us('range_select') - us('point_select')) * NS_PER_US) / (RANGE_ROWS - 1),
    'CPU us per autocommit index update': us('index_update'),
    'CPU us per autocommit non-index update': us('non_index_update'),
    'CPU us per autocommit insert': us('insert'),
    'CPU us per autocommit insert without binary log': us('without_binlog'),
    'CPU us per insert within a transaction': perInsert(us),
    'CPU us per BEGIN and COMMIT': us('one_insert') - perInsert(us),
  };
}

/** @param {import('./phases.mjs').Phase[]} phases */
export function xaCosts(phases) {
  const us = cpuOf(phases);
  return {
    'CPU us per XA transaction of one insert': us('xa_insert'),
    'CPU us per XA transaction beside its insert': us('xa_insert') - perInsert(us),
    'CPU us per XA transaction beside its insert, rolled back': us('xa_rolled_back') - perInsert(us),
    'CPU us per BEGIN and COMMIT': us('one_insert') - perInsert(us),
  };
}

/** @param {import('./phases.mjs').Phase[]} phases */
export function lookupCosts(phases) {
  const us = cpuOf(phases);
  return {
    'CPU us per statement that does nothing': us('nothing'),
    'CPU us per point select': us('point_select'),
    'CPU us per prepared point select': us('prepared_select') - us('set_variable'),
    'CPU us per HANDLER READ': us('handler_read'),
  };
}
