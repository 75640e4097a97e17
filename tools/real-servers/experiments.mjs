// What is measured of each bug.
import { aioWithFullArray, aioWithSlots } from './aio-reads.mjs';
import { lookupCosts, pageReadCosts, statementCosts, undoReadCosts, xaCosts } from './cpu-costs.mjs';
import { groupCommits } from './group-commits.mjs';
import { pageReads } from './page-reads.mjs';
import { purgeStall } from './purge-stall.mjs';
import { undoReads } from './undo-reads.mjs';
import { xaCommits } from './xa-commits.mjs';

/**
 * @typedef {import('./phases.mjs').Phase} Phase
 * @typedef {object} Experiment
 * @property {string} experiment its name in measured files
 * @property {string} scenario the bug it belongs to
 * @property {(server: import('./options.mjs').ServerKind) => boolean} [suits] whether the server has what is measured; without it, each has
 * @property {(server: import('./options.mjs').ServerKind) => string[]} options a server of ours is started with
 * @property {{ page_read_us: number }} [slowDisk] the disk that a server of ours runs on (slow-disk.c), if not this machine's
 * @property {boolean} [isCost] whether CPU time is measured, which depends on the machine, and not what the census compares
 * @property {number} [tolerance] within which the engine's counts agree; 2 % if it says nothing
 * @property {{ wants?: Record<string, string>, sets?: Record<string, string | number>, obstacle?: (session: import('./session.mjs').Session) => Promise<string | null> }} [named]
 *   what a server that the user named must have, and is set to; without it, the experiment is not run there
 * @property {(wanted: number[]) => number[]} [clients] how many there are, where it is not as wanted
 * @property {(session: import('./session.mjs').Session) => Promise<any>} prepare makes the data
 * @property {(session: import('./session.mjs').Session, how: { clients: number, seconds: number, prepared: any }) => Promise<Phase[]>} measure
 * @property {(session: import('./session.mjs').Session) => Promise<void>} cleanUp
 * @property {(phases: Phase[]) => Record<string, number>} figures what was counted per operation
 */

/** @type {Experiment[]} */
export const EXPERIMENTS = [
  pageReads,
  pageReadCosts,
  lookupCosts,
  aioWithSlots,
  aioWithFullArray,
  xaCommits,
  xaCosts,
  groupCommits,
  purgeStall,
  statementCosts,
  undoReads,
  undoReadCosts,
];

export const measuredScenarios = [...new Set(EXPERIMENTS.map(({ scenario }) => scenario))];

/** @param {string} name */
export const experimentNamed = (name) => EXPERIMENTS.find(({ experiment }) => experiment === name);
