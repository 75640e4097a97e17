// Bug #69276: counts acquisitions per page read, beyond those of a select whose pages are in the
// buffer pool.
import { acquisitionsOf, phasesNamed, sum } from './phases.mjs';

/** Latches by their names in this project. A server may lack any but the first. */
const LATCHES = {
  fil_system: /\/fil_system_mutex$/,
  page_hash: /\/hash_table_locks$/,
  buf_pool: /\/buf_pool_mutex$/,
  LRU_list: /\/buf_pool_LRU_list_mutex$/,
  free_list: /\/buf_pool_free_list_mutex$/,
  log_sys: /\/log_sys_mutex$/,
};
const ALWAYS_COUNTED = ['fil_system'];
/** Latches that a select acquires without reading a page. */
const LATCHES_OF_A_SELECT = {
  page_hash: LATCHES.page_hash,
  index_lock: /\/index_tree_rw_lock$/,
};

/**
 * Solves two equations for the acquisitions per select and per page read. Both phases read pages,
 * the warm one very few.
 * @param {import('./phases.mjs').Phase[]} phases
 * @returns {Record<string, number>} by figure
 */
export function pageReadFigures(phases) {
  const [warm, cold] = phasesNamed(phases, 'warm', 'cold');
  const solved = (pattern) => {
    const [taken, takenCold] = [warm, cold].map((phase) => acquisitionsOf(phase, pattern));
    return {
      seen: taken + takenCold > 0,
      ...solve({ ...warm.operations, taken }, { ...cold.operations, taken: takenCold }),
    };
  };
  const found = {};
  for (const [latch, pattern] of Object.entries(LATCHES)) {
    const { seen, perPageRead } = solved(pattern);
    if (seen || ALWAYS_COUNTED.includes(latch)) found[`${latch} per page read`] = perPageRead;
  }
  for (const [latch, pattern] of Object.entries(LATCHES_OF_A_SELECT)) {
    const { seen, perSelect } = solved(pattern);
    if (seen) found[`${latch} per select`] = perSelect;
  }
  return found;
}

/**
 * Omits latches that both a select and a page read acquire: one run cannot separate the two.
 * @param {import('./phases.mjs').Phase} run
 * @returns {Record<string, number>} by figure
 */
export function pageReadFiguresOfRun(run) {
  const only = (latches, others) => Object.entries(latches).filter(([latch]) => !(latch in others));
  const { pages_read, selects } = run.operations;
  return Object.fromEntries([
    ...only(LATCHES, LATCHES_OF_A_SELECT).map(([latch, pattern]) => [
      `${latch} per page read`,
      acquisitionsOf(run, pattern) / pages_read,
    ]),
    ...only(LATCHES_OF_A_SELECT, LATCHES).map(([latch, pattern]) => [
      `${latch} per select`,
      acquisitionsOf(run, pattern) / selects,
    ]),
  ]);
}

/** @returns {{ perSelect: number, perPageRead: number }} from `taken` of two phases */
function solve(a, b) {
  const determinant = a.selects * b.pages_read - b.selects * a.pages_read;
  return {
    perSelect: (a.taken * b.pages_read - b.taken * a.pages_read) / determinant,
    perPageRead: (a.selects * b.taken - b.selects * a.taken) / determinant,
  };
}

/** @param {import('./phases.mjs').Phase[]} phases */
export function pageReadCosts(phases) {
  const [warm, cold] = phasesNamed(phases, 'warm', 'cold').map(({ operations }) => operations);
  const cost = solve({ ...warm, taken: warm.cpu_us }, { ...cold, taken: cold.cpu_us });
  return { 'CPU us per select': cost.perSelect, 'CPU us per page read': cost.perPageRead };
}

/** MySQL 5.6 counts the mutexes of its arrays among the operating system's. */
const AIO_MUTEX = /\/os_mutex$/;
const PER_READ = 'AIO mutex per asynchronous read';

const perRead = (phases) =>
  sum(phases.map((phase) => acquisitionsOf(phase, AIO_MUTEX))) /
  sum(phases.map(({ operations }) => operations.asynchronous_reads));

/** @param {import('./phases.mjs').Phase[]} phases one pass each */
export function aioReadFigures(phases) {
  const passes = phases.map((phase) => perRead([phase]));
  return {
    [PER_READ]: perRead(phases),
    [`${PER_READ}, least of all passes`]: Math.min(...passes),
    [`${PER_READ}, most of all passes`]: Math.max(...passes),
  };
}

/** @param {import('./phases.mjs').Phase} run */
export const aioReadFiguresOfRun = (run) => ({ [PER_READ]: perRead([run]) });
