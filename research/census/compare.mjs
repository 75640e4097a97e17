// Compares counts from real servers with counts from the engine.
import { agrees } from '../../web/contract/real-servers/measured-server.mjs';
import { measurable } from '../../web/contract/real-servers/experiments.mjs';

/** Rounding of the ranges in census.json. */
const ROUNDING = 1e-4;

/**
 * @typedef {object} Row one count of one file
 * @property {string} experiment
 * @property {string} figure
 * @property {string} server
 * @property {string} version
 * @property {number} clients
 * @property {number} measured
 * @property {number} engine
 * @property {number} [tolerance] the largest difference that counts as agreement
 */

/**
 * @typedef {{ experiment: string, server: string, clients: number, counts: Record<string, number>
 * }} EngineCounts
 */

/**
 * Selects the counts of servers that a design models, without figures that depend on the machine.
 * @param {import('../real-servers/measured-file.mjs').Measured[]} documents
 * @param {import('./read.mjs').Census} census
 * @returns {{ server: { name: string, version: string }, experiment: string, clients: number,
 *   counts: Record<string, number> }[]}
 */
export const comparedRuns = (documents, { variants }) =>
  documents
    .filter(({ server }) => server.name in variants)
    .flatMap(({ server, experiments }) =>
      experiments
        .filter(({ experiment }) => !measurable(experiment).isCost)
        .flatMap(({ experiment, runs }) => runs.map((run) => ({ server, experiment, ...run }))),
    );

/**
 * @param {import('../real-servers/measured-file.mjs').Measured[]} documents
 * @param {import('./read.mjs').Census} census
 * @param {EngineCounts[]} engine for each compared run
 * @returns {{ rows: Row[], left_out: string[], unknown: string[] }} `left_out`: servers that are
 *   not compared; `unknown`: servers that the census does not mention
 */
export function compareAll(documents, census, engine) {
  const names = [...new Set(documents.map(({ server }) => server.name))];
  const rows = comparedRuns(documents, census).flatMap(
    ({ server: { name, version }, experiment, clients, counts }) => {
      const here = engine.find(
        (one) => one.experiment === experiment && one.server === name && one.clients === clients,
      );
      return Object.entries(counts).map(([figure, measured]) => ({
        experiment,
        figure,
        server: name,
        version,
        clients,
        measured,
        engine: here.counts[figure] ?? 0,
        tolerance: measurable(experiment).tolerance,
      }));
    },
  );
  return {
    rows,
    left_out: names.filter((name) => name in census.not_compared),
    unknown: names.filter((name) => !(name in census.variants) && !(name in census.not_compared)),
  };
}

const isAbout =
  ({ experiment, figure, servers }) =>
  (row) =>
    row.experiment === experiment && row.figure === figure && servers.includes(row.server);

/** @returns {import('./read.mjs').Range} */
const rangeOf = (values) => [Math.min(...values), Math.max(...values)];
const isWithin = (value, [least, most]) => value >= least - ROUNDING && value <= most + ROUNDING;

/**
 * @param {Row[]} rows
 * @param {import('./read.mjs').Exception[]} exceptions
 * @returns {{ agreeing: Row[], listed: Row[], differing: Row[], outside: { exception:
 *   import('./read.mjs').Exception, row: Row }[], idle: import('./read.mjs').Exception[] }}
 *   `differing`: rows that differ and are not listed; `outside`: rows beyond the bounds of their
 *   exception; `idle`: exceptions whose counts all agree
 */
export function judge(rows, exceptions) {
  const exceptionOf = (row) => exceptions.find((exception) => isAbout(exception)(row));
  const idle = exceptions.filter((exception) => rows.filter(isAbout(exception)).every(agrees));
  const covered = rows.filter((row) => exceptionOf(row) !== undefined && !idle.includes(exceptionOf(row)));
  const rest = rows.filter((row) => !covered.includes(row));
  return {
    agreeing: rest.filter(agrees),
    listed: covered,
    differing: rest.filter((row) => !agrees(row)),
    outside: covered
      .map((row) => ({ exception: exceptionOf(row), row }))
      .filter(
        ({ exception, row }) =>
          !isWithin(row.engine, exception.engine) || !isWithin(row.measured, exception.server),
      ),
    idle,
  };
}

/**
 * @param {Row[]} rows
 * @param {import('./read.mjs').Exception[]} exceptions
 * @returns {import('./read.mjs').Exception[]} the exceptions with current ranges, without idle
 *   ones, plus an exception without a reason for each unlisted figure that differs
 */
export function renewed(rows, exceptions) {
  const { idle, differing } = judge(rows, exceptions);
  const kept = exceptions.filter((exception) => !idle.includes(exception));
  const added = [];
  for (const { experiment, figure, server } of differing) {
    const isThere = added.some(
      (one) => one.experiment === experiment && one.figure === figure && one.servers.includes(server),
    );
    if (!isThere) added.push({ experiment, figure, servers: [server], because: '' });
  }
  return [...kept, ...added].map((exception) => {
    const own = rows.filter(isAbout(exception));
    return {
      ...exception,
      engine: rangeOf(own.map(({ engine }) => engine)),
      server: rangeOf(own.map(({ measured }) => measured)),
    };
  });
}
