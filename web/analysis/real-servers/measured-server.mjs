// What the page shows of a measured file: figures, and how many operations a second; not what each phase counted.
import { measurableNamed } from './experiments.mjs';

/**
 * @typedef {object} ServerRun
 * @property {number} clients
 * @property {Record<string, number>} counts per operation, by figure
 * @property {number | null} operations_per_s null where clients do not do one thing again and again
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

/** MySQL 9.7.4, MariaDB 10.11.19: without what a packager or `log_bin` adds. */
export function serverTitle({ name, version }) {
  const [numbers] = /^[\d.]+/.exec(version) ?? [version];
  return `${name.startsWith('mariadb') ? 'MariaDB' : 'MySQL'} ${numbers.replace(/\.$/, '')}`;
}
