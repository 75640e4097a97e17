// Counts how often the engine acquires each latch in the steps of an experiment. It uses the
// virtual server, where the same run gives the same counts everywhere.
import { phaseOfEngine } from '../../web/contract/real-servers/engine-run.mjs';
import { measurable } from '../../web/contract/real-servers/experiments.mjs';
import { roundedAll } from '../../web/contract/real-servers/measured-faults.mjs';
import { stallPhase } from '../../web/contract/real-servers/purge-stall.mjs';
import { stallCases } from '../real-servers/purge-stall.mjs';

/** How the engine runs an experiment, phase by phase. */
const ENGINE_PHASES = {
  page_read: {
    phases: {
      warm: pointSelects(0.02, { tables: 1, rows_per_table: 1000, buffer_pool_mib: 64 }),
      cold: pointSelects(0.08, { rows_per_table: 20_000, buffer_pool_mib: 2 }),
    },
  },
  aio_slots_free: passes({ read_io_threads: 4, device_latency_us: 80 }),
  aio_array_full: passes({ read_io_threads: 1, device_latency_us: 500 }),
  undo_read: {
    phases: { '0 versions': scans(0), '1 versions': scans(1), '2 versions': scans(2) },
  },
  group_commit: {
    phases: { 'no rotation': commits(1_048_576), rotations: commits(64) },
  },
  purge_stall: {
    phases: Object.fromEntries(stallCases.map((one) => [stallPhase(one), purge(one)])),
    more: (phase, result) => ({
      ...stallCases.find((one) => stallPhase(one) === phase),
      longest_commit_ms: result.totals.latency_ms.max,
    }),
  },
  xa_commit: {
    phases: { 'xa transactions': { duration_s: 0.3 } },
  },
};

/**
 * Each pass has a different seed. The buffer pool is smaller than the data, so reads and read-ahead
 * continue. Read requests are submitted in groups, as in 5.6.
 */
function passes(parameters) {
  const run = {
    duration_s: 0.2,
    // Two cores, like the machine of the real counts.
    server: { based_on: 'xeon-2020', sockets: 1, cores_per_socket: 2, work_percent: 100 },
    parameters: {
      ...parameters,
      slots_per_segment: 256,
      buffer_pool_mib: 32,
      groups_in_one_call: 1,
    },
  };
  const seeds = [1, 2, 3];
  return {
    phases: Object.fromEntries(seeds.map((seed) => [`pass ${seed}`, { ...run, seed }])),
  };
}

/** The table is small and is updated as soon as the read views are open. */
function scans(versions) {
  const actions = Array.from({ length: versions }, (_, i) => ({ at_s: 1e-5 * (i + 1), action: 'update_k' }));
  return { duration_s: 0.1, parameters: { rows: 500, purge_threads: 1 }, actions };
}

/** Files small enough for many rotations, or too large for one. */
function commits(maxBinlogSizeKib) {
  return { duration_s: 0.3, parameters: { max_binlog_size_kib: maxBinlogSizeKib, old_binlogs_gib: 0 } };
}

function pointSelects(durationS, parameters) {
  return { duration_s: durationS, parameters: { ...parameters, buffer_pool_instances: 1, client_gap_us: 0 } };
}

/**
 * Old files of 1 GiB, and new files that fill quickly. The real servers' unlink delay leaves their
 * disk idle, so deletions do not use the device here.
 */
function purge({ files, unlink_ms }) {
  const deletingMs = files * unlink_ms;
  return {
    duration_s: 1 + deletingMs / 1000,
    parameters: {
      old_binlogs_gib: files,
      unlink_ms_per_gib: unlink_ms,
      unlink_device_percent: 0,
      max_binlog_size_kib: 64,
      long_query_time_ms: deletingMs / 2,
    },
    actions: [{ at_s: 0.2, action: 'expire_logs_1s' }],
  };
}

/**
 * @param {import('../evidence/scenario-runs.mjs').ScenarioRuns} runs
 * @param {string} experiment
 * @param {{ design: object, clients: number }} run
 * @returns {Promise<Record<string, number>>} counts per operation, by figure
 */
export async function engineCounts(runs, experiment, { design, clients }) {
  const { figures } = measurable(experiment);
  const { phases, more } = ENGINE_PHASES[experiment];
  const counted = Object.entries(phases).map(async ([phase, spec]) => {
    const name = [experiment, phase, `${clients} clients`, ...Object.values(design)].join(', ');
    const [result] = await runs.virtual(name, { design, threads: clients, ...spec });
    return phaseOf(experiment, phase, result, more);
  });
  return roundedAll(figures(await Promise.all(counted)));
}

/**
 * Converts a run of the engine to the form of a server's counts in a phase. `more` adds figures
 * that its counters lack.
 */
function phaseOf(experiment, phase, result, more) {
  const { latches, counters } = result;
  const counted = phaseOfEngine(experiment, phase, { latches, count: (name) => counters[name] });
  return { ...counted, operations: { ...counted.operations, ...more?.(phase, result) } };
}
