// Bug #95491: counts acquisitions of the I/O arrays' mutexes per page read asynchronously.
import { acquisitionsOf, sum } from './phases.mjs';

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
