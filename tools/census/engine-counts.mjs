// What the engine takes of each latch in the steps of an experiment, on the virtual server, where the same run gives the same
// counts everywhere.
import { brokenInvariants, runNatively } from '../native-engine.mjs';
import { roundedAll } from '../real-servers/measured-file.mjs';

/** The instrument of performance_schema that counts what the engine's latch stands for. */
const INSTRUMENT_OF = {
  'fil_system->mutex': 'wait/synch/mutex/innodb/fil_system_mutex',
  'Fil_shard::m_mutex': 'wait/synch/mutex/innodb/fil_system_mutex',
  'buf_pool->page_hash': 'wait/synch/sxlock/innodb/hash_table_locks',
  'buf_pool->mutex': 'wait/synch/mutex/innodb/buf_pool_mutex',
  'buf_pool->LRU_list_mutex': 'wait/synch/mutex/innodb/buf_pool_LRU_list_mutex',
  'buf_pool->free_list_mutex': 'wait/synch/mutex/innodb/buf_pool_free_list_mutex',
  'log_sys->mutex': 'wait/synch/mutex/innodb/log_sys_mutex',
  'dict_index_t::lock': 'wait/synch/sxlock/innodb/index_tree_rw_lock',
};

/** How the engine goes through an experiment, phase by phase; what its operations are called among the engine's counters. */
const ENGINE_PHASES = {
  page_read: {
    operations: { selects: 'transactions', pages_read: 'block_reads' },
    phases: {
      warm: pointSelects(0.02, { tables: 1, rows_per_table: 1000, buffer_pool_mib: 64 }),
      cold: pointSelects(0.08, { rows_per_table: 20_000, buffer_pool_mib: 2 }),
    },
  },
};

function pointSelects(duration_s, parameters) {
  return { duration_s, parameters: { ...parameters, buffer_pool_instances: 1, client_gap_us: 0 } };
}

/**
 * @param {string} engine build folder of the virtual engine
 * @param {import('../real-servers/experiments.mjs').Experiment} experiment
 * @param {{ design: object, clients: number }} run
 * @returns {Promise<Record<string, number>>} counts per operation, by figure
 */
export async function engineCounts(engine, { experiment, scenario, figures }, { design, clients }) {
  const { operations, phases } = ENGINE_PHASES[experiment];
  const counted = [];
  for (const [phase, spec] of Object.entries(phases)) {
    const run = { scenario, platform: 'virtual', seed: 1, design, threads: clients, ...spec };
    counted.push(phaseOf(phase, await runNatively(engine, run), operations));
  }
  return roundedAll(figures(counted));
}

/** A run of the engine as what a server counts in a phase. */
function phaseOf(phase, result, operations) {
  const broken = brokenInvariants(result);
  if (broken.length > 0) throw new Error(`${phase}: ${broken.join('; ')}`);
  const latches = {};
  for (const { latch, acquisitions } of result.latches) {
    const instrument = INSTRUMENT_OF[latch];
    if (instrument === undefined) continue;
    latches[instrument] = { acquisitions: acquisitions + (latches[instrument]?.acquisitions ?? 0) };
  }
  const done = Object.entries(operations).map(([name, counter]) => [name, result.counters[counter]]);
  return { phase, operations: Object.fromEntries(done), latches };
}
