// Defines the experiments of each bug, and computes their figures from counts. The writer of
// measured files, the census and the page share it. research/real-servers/ takes the measurements.
import {
  aioReadFigures,
  aioReadFiguresOfRun,
  pageReadCosts,
  pageReadFigures,
  pageReadFiguresOfRun,
} from './page-reads.mjs';
import { commitFigures, groupCommitFigures, xaCommitFigures } from './commits.mjs';
import { purgeStallFigures } from './purge-stall.mjs';
import { lookupCosts, statementCosts, xaCosts } from './statement-costs.mjs';
import { undoReadCosts, undoReadFigures, undoReadFiguresOfRun } from './undo-reads.mjs';

/**
 * @typedef {import('./phases.mjs').Phase} Phase
 * @typedef {Record<string, number>} Figures by name
 * @typedef {object} Measurable
 * @property {string} experiment its name in measured files
 * @property {string} scenario the bug it belongs to
 * @property {string} title
 * @property {boolean} [isCost] it measures CPU time, which depends on the machine and is not part
 *   of the census
 * @property {number} [tolerance] within which the engine's counts agree; default 2 %
 * @property {(phases: Phase[]) => Figures} figures counts per operation
 * @property {(run: Phase) => Figures} [figuresOfRun] figures that one run of the engine provides
 * @property {{ phase: string, operation: string, unit: string }} [throughput] of an operation that clients repeat
 */

/**
 * For each bug, the experiment that shows it comes first.
 * @type {Measurable[]}
 */
export const MEASURABLES = [
  {
    experiment: 'page_read',
    scenario: 'fil-mutex-69276',
    title: 'Look-ups by primary key that read pages',
    figures: pageReadFigures,
    figuresOfRun: pageReadFiguresOfRun,
    throughput: { phase: 'cold', operation: 'selects', unit: 'look-ups/s' },
  },
  {
    experiment: 'page_read_cpu',
    scenario: 'fil-mutex-69276',
    title: 'CPU time of look-ups by primary key',
    isCost: true,
    figures: pageReadCosts,
  },
  {
    experiment: 'lookup_cpu',
    scenario: 'fil-mutex-69276',
    title: 'CPU time of the ways to look a row up',
    isCost: true,
    figures: lookupCosts,
  },
  {
    experiment: 'aio_slots_free',
    scenario: 'aio-wakeup-95491',
    title: 'Asynchronous reads, slots to spare',
    tolerance: 0.2,
    figures: aioReadFigures,
    figuresOfRun: aioReadFiguresOfRun,
  },
  {
    experiment: 'aio_array_full',
    scenario: 'aio-wakeup-95491',
    title: 'Asynchronous reads, array full',
    tolerance: 0.2,
    figures: aioReadFigures,
    figuresOfRun: aioReadFiguresOfRun,
  },
  {
    experiment: 'xa_commit',
    scenario: 'xa-gtid-99638',
    title: 'XA transactions of one insert',
    figures: xaCommitFigures,
    figuresOfRun: commitFigures,
    throughput: { phase: 'xa transactions', operation: 'xa_transactions', unit: 'XA transactions/s' },
  },
  {
    experiment: 'xa_cpu',
    scenario: 'xa-gtid-99638',
    title: 'CPU time of XA transactions',
    isCost: true,
    figures: xaCosts,
  },
  {
    experiment: 'purge_stall',
    scenario: 'binlog-purge-104615',
    title: 'A rotation that deletes old files',
    tolerance: 0.1,
    figures: purgeStallFigures,
  },
  {
    experiment: 'group_commit',
    scenario: 'binlog-purge-104615',
    title: 'Autocommit inserts',
    figures: groupCommitFigures,
    figuresOfRun: commitFigures,
    throughput: { phase: 'no rotation', operation: 'commits', unit: 'commits/s' },
  },
  {
    experiment: 'statement_cpu',
    scenario: 'binlog-purge-104615',
    title: 'CPU time of statements',
    isCost: true,
    figures: statementCosts,
  },
  {
    experiment: 'undo_read',
    scenario: 'undo-read-117533',
    title: 'Scans of rows with old versions',
    figures: undoReadFigures,
    figuresOfRun: undoReadFiguresOfRun,
    throughput: { phase: '1 versions', operation: 'scans', unit: 'scans/s' },
  },
  {
    experiment: 'undo_read_cpu',
    scenario: 'undo-read-117533',
    title: 'CPU time of such scans',
    isCost: true,
    figures: undoReadCosts,
  },
];

/**
 * @param {string} name
 * @returns {Measurable | undefined}
 */
export const measurableNamed = (name) => MEASURABLES.find(({ experiment }) => experiment === name);

/** @param {string} name */
export function measurable(name) {
  const found = measurableNamed(name);
  if (found === undefined) throw new Error(`nothing is measured that is called ${name}`);
  return found;
}
