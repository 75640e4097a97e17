// Defines for each scenario a load under which the report's condition holds, and from when to
// measure.
import { readManifests } from '../../tools/scenario-manifests.mjs';

/**
 * @typedef {object} Load
 * @property {number} threads
 * @property {number} measured_from_s start of the measurement in seconds; excludes the triggering
 *   action and the time it needs to take effect
 * @property {Record<string, number>} [parameters]
 * @property {{ at_s: number, action: string }[]} [actions]
 */

/** @type {Record<string, Load>} */
const LOADS = {
  // The buffer pool is much smaller than the data, so blocks are read from the start.
  'fil-mutex-69276': { threads: 8, measured_from_s: 0 },
  // The buffer pool starts cold and is slightly smaller than the data, so read-ahead continues. The
  // array has few slots and is full.
  'aio-wakeup-95491': {
    threads: 48,
    measured_from_s: 0,
    parameters: { buffer_pool_mib: 96, slots_per_segment: 8 },
  },
  'xa-gtid-99638': { threads: 32, measured_from_s: 0 },
  // 8 GiB expire, and their purge takes 1.8 s. Files are small, so rotations coincide with the
  // purge.
  'binlog-purge-104615': {
    threads: 16,
    measured_from_s: 1,
    parameters: { old_binlogs_gib: 8, max_binlog_size_kib: 1024 },
    actions: [
      { at_s: 1, action: 'expire_logs_1s' },
      { at_s: 1, action: 'flush_binary_logs' },
    ],
  },
  // After the UPDATE each row is read through an undo record.
  'undo-read-117533': { threads: 8, measured_from_s: 2, actions: [{ at_s: 1, action: 'update_k' }] },
};

/** Other scenarios run as their manifest says and are measured from the start. */
const LOAD_BY_MANIFEST = (manifest) => ({ threads: manifest.threads.default, measured_from_s: 0 });

/** @returns {Promise<{ manifest: object, load: Load }[]>} in the order of the scenarios */
export async function scenarioLoads() {
  const manifests = await readManifests();
  return manifests.map((manifest) => ({ manifest, load: LOADS[manifest.id] ?? LOAD_BY_MANIFEST(manifest) }));
}

/** @returns {object} a run spec with `seconds` of measurement */
export function specOf({ manifest, load }, { design, seconds, threads = load.threads }) {
  return {
    version: 1,
    scenario: manifest.id,
    design: manifest.designs[design],
    threads,
    duration_s: load.measured_from_s + seconds,
    ...(load.parameters ? { parameters: load.parameters } : {}),
    ...(load.actions ? { actions: load.actions } : {}),
  };
}

/**
 * @param {object} result run result
 * @param {number} fromS
 * @returns {number} transactions per second in the intervals that begin at `from_s` or later
 */
export function tpsFrom(result, fromS) {
  if (fromS === 0) return result.totals.tps;
  let seconds = 0;
  let transactions = 0;
  let beganS = 0;
  for (const { t_s, tps } of result.intervals) {
    if (beganS >= fromS - 0.05) {
      seconds += t_s - beganS;
      transactions += tps * (t_s - beganS);
    }
    beganS = t_s;
  }
  return seconds > 0 ? transactions / seconds : 0;
}
