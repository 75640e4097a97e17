// Lists the experiments that measure each bug. web/contract/real-servers/experiments.mjs computes
// the figures from the counts.
import { measurable } from '../../web/contract/real-servers/experiments.mjs';
import { aioWithFullArray, aioWithSlots } from './aio-reads.mjs';
import { groupCommits, xaCommits } from './commits.mjs';
import { lookupCosts, pageReadCosts, statementCosts, undoReadCosts, xaCosts } from './cpu-costs.mjs';
import { pageReads } from './page-reads.mjs';
import { purgeStall } from './purge-stall.mjs';
import { undoReads } from './undo-reads.mjs';

/**
 * @typedef {import('../../web/contract/real-servers/phases.mjs').Phase} Phase
 * @typedef {object} Steps
 * @property {string} experiment its name in measured files
 * @property {(server: import('./options.mjs').ServerKind) => boolean} [suits] whether the server
 *   has what the experiment measures; default: every server
 * @property {(server: import('./options.mjs').ServerKind) => string[]} options start-up options of
 *   a local server
 * @property {{ page_read_us: number }} [slowDisk] the simulated disk of a local server
 *   (slow-disk.c); default: this machine's disk
 * @property {{ wants?: Record<string, string>, sets?: Record<string, string | number>, obstacle?:
 *   (session: import('./session.mjs').Session) => Promise<string | null> }} [named] settings that a
 *   user's server must have, and settings to change there; without it, the experiment does not run
 *   on users' servers
 * @property {(wanted: number[]) => number[]} [clients] the client counts, if they differ from the
 *   requested ones
 * @property {(session: import('./session.mjs').Session) => Promise<any>} prepare creates the data
 * @property {(session: import('./session.mjs').Session, how: { clients: number, seconds: number,
 *   prepared: any }) => Promise<Phase[]>} measure
 * @property {(session: import('./session.mjs').Session) => Promise<void>} cleanUp
 * @typedef {Steps & import('../../web/contract/real-servers/experiments.mjs').Measurable}
 *   Experiment
 */

/** @type {Experiment[]} */
export const EXPERIMENTS = /** @type {Steps[]} */ ([
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
]).map((steps) => ({ ...measurable(steps.experiment), ...steps }));

export const measuredScenarios = [...new Set(EXPERIMENTS.map(({ scenario }) => scenario))];
