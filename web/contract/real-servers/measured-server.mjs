// Extracts the page's data from a measured file: figures and operations per second, without the
// counts of each phase.
import { measurableNamed } from './experiments.mjs';

/**
 * @typedef {object} ServerRun
 * @property {number} clients
 * @property {Record<string, number>} counts per operation, by figure
 * @property {number | null} operations_per_s null if clients do not repeat one operation
 * @typedef {{ experiment: string, runs: ServerRun[] }} ServerExperiment
 * @typedef {object} MeasuredServer
 * @property {string} name such as mysql-9
 * @property {string} version
 * @property {string | null} packaged
 * @property {string} measured_at
 * @property {string} cpu_model
 * @property {number} cores
 * @property {ServerExperiment[]} experiments
 */

/**
 * @param {import('./measured-faults.mjs').Measured} measured
 * @returns {MeasuredServer}
 */
export const measuredServer = ({ server, machine, measured_at, experiments }) => ({
  name: server.name,
  version: server.version,
  packaged: server.packaged,
  measured_at,
  cpu_model: machine.cpu_model,
  cores: machine.cores,
  experiments: experiments.map(({ experiment, runs }) => ({
    experiment,
    runs: runs.map(({ clients, counts, phases }) => ({
      clients,
      counts,
      operations_per_s: operationsPerSecond(experiment, phases),
    })),
  })),
});

function operationsPerSecond(experiment, phases) {
  const throughput = measurableNamed(experiment)?.throughput;
  const phase = phases.find((one) => one.phase === throughput?.phase);
  if (throughput === undefined || phase === undefined) return null;
  return phase.operations[throughput.operation] / phase.seconds;
}

/**
 * Returns names such as MySQL 9.7.4 or MariaDB 10.11.19, without the suffixes of packagers and
 * `log_bin`.
 */
export function serverTitle({ name, version }) {
  const [numbers] = /^[\d.]+/.exec(version) ?? [version];
  return `${name.startsWith('mariadb') ? 'MariaDB' : 'MySQL'} ${numbers.replace(/\.$/, '')}`;
}

/** Default tolerance, as a share of the larger count; an experiment may set its own. */
const TOLERANCE = 0.02;
/** Smaller counts per operation come from the server's own threads. */
const NEXT_TO_NOTHING = 0.03;

/** @param {{ measured: number, engine: number, tolerance?: number | undefined }} row */
export function agrees({ measured, engine, tolerance = TOLERANCE }) {
  const large = Math.max(Math.abs(measured), Math.abs(engine));
  return large < NEXT_TO_NOTHING || Math.abs(measured - engine) <= tolerance * large;
}
