// Compares workload files with the C++ scenarios that they describe, on the scenarios' own servers:
// acquisitions per operation, and the ratios of designs.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { buildNative } from '../../tools/builds.mjs';
import { EngineRuns } from '../../tools/engine-runs.mjs';
import { brokenInvariants } from '../../tools/native-engine.mjs';
import { workloadLanguage } from '../../tools/workload-language.mjs';

/** Of counts that depend on draws. */
const COUNT_TOLERANCE = 0.02;
const RATIO_TOLERANCE = 0.1;

const { compileWorkload } = await workloadLanguage();
const { folder } = await buildNative('virtual', { target: 'latchscope' });
const runs = EngineRuns.on({ virtual: folder });

const sourceOf = (name) => readFileSync(new URL(`${name}.workload`, import.meta.url), 'utf8');

function compiled(source) {
  const { program, errors } = compileWorkload(source);
  assert.equal(errors, undefined);
  return { source, program };
}

async function resultOf(spec) {
  const { result } = await runs.once('virtual', { version: 1, platform: 'virtual', ...spec });
  assert.deepEqual(brokenInvariants(result), []);
  return result;
}

/** A name of a workload file has at most 40 characters. */
const SHORT_SITES = {
  fil_tablespace_deleted_or_being_deleted_in_mem: 'fil_tablespace_deleted_or_being_deleted',
};

/** Returns acquisitions by latch, with those of each site: `{ latch: { '': 12, site: 12 } }`. */
function acquisitionsOf(result, names) {
  const found = {};
  for (const { latch, site: place, acquisitions } of result.latches) {
    const name = names[latch] ?? latch;
    const site = SHORT_SITES[place] ?? place;
    found[name] ??= { '': 0 };
    found[name][''] += acquisitions;
    found[name][site] = (found[name][site] ?? 0) + acquisitions;
  }
  return found;
}

function assertNear(actual, expected, tolerance, what) {
  const off = Math.abs(actual / expected - 1);
  assert.ok(off <= tolerance, `${what}: ${actual} here, ${expected} in C++`);
}

/**
 * Compares the ratios of designs to the first one.
 * @param {Record<string, number>} file rates by design
 * @param {Record<string, number>} cpp
 * @param {(line: string) => void} [report] receives each ratio
 */
function assertRatios(file, cpp, report = () => undefined) {
  const [original, ...others] = Object.keys(cpp);
  for (const design of others) {
    const [ofFile, ofCpp] = [file, cpp].map((rates) => rates[design] / rates[original]);
    report(`${design} : ${original}: ${ofFile.toFixed(2)} here, ${ofCpp.toFixed(2)} in C++`);
    assertNear(ofFile, ofCpp, RATIO_TOLERANCE, `${design} : ${original}`);
  }
}

const FIL = {
  source: sourceOf('fil-mutex-69276'),
  names: {
    'fil_system->mutex': 'fil_system_mutex',
    'Fil_shard::m_mutex': 'fil_shard_mutex',
    'buf_pool->LRU_list_mutex': 'LRU_list_mutex',
    'buf_pool->free_list_mutex': 'free_list_mutex',
    'buf_pool->page_hash': 'page_hash',
    'dict_index_t::lock': 'dict_index_lock',
    'buf_block_t::lock': 'block_lock',
  },
  conditions: { threads: 54, server: 'snb-ep-2013', duration_s: 0.09 },
  designs: ['global_mutex', 'sharded_mutex', 'single_lookup_pin'],
};

/** The steps of one block read that acquire the latch of tablespaces, and how often in each run. */
const FIL_STEPS = {
  global_mutex: {
    latch: 'fil_system_mutex',
    fil_space_get_version: ({ reads, lost, checks }) => reads + lost + checks,
    fil_tablespace_deleted_or_being_deleted: ({ reads }) => reads,
    fil_mutex_enter_and_prepare_for_io: ({ reads }) => reads,
    fil_node_complete_io: ({ reads }) => reads,
    fil_inc_pending_ops: ({ withBits }) => withBits,
    fil_decr_pending_ops: ({ withBits }) => withBits,
    fil_space_get_size: ({ checks }) => checks,
  },
  sharded_mutex: {
    latch: 'fil_shard_mutex',
    fil_space_get: ({ reads }) => reads,
    'Fil_shard::do_io': ({ reads }) => reads,
    'Fil_shard::complete_io': ({ reads }) => reads,
    fil_space_acquire_silent: ({ leaves, checks }) => leaves + checks,
    fil_space_release: ({ leaves, checks }) => leaves + checks,
  },
  single_lookup_pin: {
    latch: 'fil_system_mutex',
    fil_space_acquire_for_io: ({ reads, lost, checks }) => reads + lost + checks,
  },
};

const filResultOfCpp = (design) =>
  resultOf({
    scenario: 'fil-mutex-69276',
    ...FIL.conditions,
    design: {
      tablespace_lookup: design,
      buffer_pool_mutex: 'split_mutexes',
      spin_delay_generator: 'per_thread',
    },
  });
const filResultOf = (source, design) =>
  resultOf({
    scenario: 'workload',
    workload: compiled(source),
    ...FIL.conditions,
    design: { tablespace_lookup: design },
  });

/** C++ also reads the root and bitmap pages once, and two clients may want to read the same page. */
const operationsOfCpp = ({ counters }) => ({
  reads: counters.block_reads,
  leaves: counters.block_reads_leaf,
  withBits: counters.block_reads - counters.block_reads_no_ibuf,
  lost: counters.block_reads_lost_race,
  checks: counters.read_ahead_linear_checks,
});
const operationsOfFile = ({ counters: { reads, checks } }) => ({
  ...{ reads, leaves: reads, withBits: reads, lost: 0, checks },
});

function assertFilCounts(design, file, cpp) {
  const { latch, ...steps } = FIL_STEPS[design];
  const [inFile, inCpp] = [operationsOfFile(file), operationsOfCpp(cpp)];
  for (const [result, operations, names] of [
    [cpp, inCpp, FIL.names],
    [file, inFile, {}],
  ])
    assert.deepEqual(acquisitionsOf(result, names)[latch], {
      '': Object.values(steps).reduce((sum, of) => sum + of(operations), 0),
      ...Object.fromEntries(Object.entries(steps).map(([site, of]) => [site, of(operations)])),
    });
  const ofFile = acquisitionsOf(file, {});
  const { 'dict_sys->mutex': ofSessions, ...ofCpp } = acquisitionsOf(cpp, FIL.names);
  assert.ok(ofSessions[''] < 2 * 8 * 54 + 2, 'each client opens each table once');
  assert.deepEqual(Object.keys(ofFile).sort(), Object.keys(ofCpp).sort());
  const perRead = (acquisitions, { reads }) => acquisitions[''] / reads;
  for (const name of Object.keys(ofCpp))
    assertNear(perRead(ofFile[name], inFile), perRead(ofCpp[name], inCpp), COUNT_TOLERANCE, name);
}

const filRates = async (resultOfDesign, designs = FIL.designs) =>
  Object.fromEntries(
    await Promise.all(designs.map(async (design) => [design, (await resultOfDesign(design)).totals.tps])),
  );

test('#69276: the file takes the latches as often as C++', async () => {
  for (const design of FIL.designs)
    assertFilCounts(design, await filResultOf(FIL.source, design), await filResultOfCpp(design));
});

test('#69276: designs have the ratios that they have in C++', async (context) => {
  assertRatios(
    await filRates((design) => filResultOf(FIL.source, design)),
    await filRates(filResultOfCpp),
    (line) => context.diagnostic(line),
  );
});

const UNDO = {
  source: sourceOf('undo-read-117533'),
  conditions: { threads: 32, server: 'epyc-cloud-2025', interval_s: 0.01 },
  /** By design: in this time each client ends at least one scan that began after the UPDATE. */
  seconds: { original: 0.2, shard_rw_lock: 0.12, page_size_cached: 0.12, sharded: 0.1, fixed: 0.1 },
};
const UPDATE_AT_S = 0.001;
/** Before, the UPDATE runs and the clients spread over the rows. */
const SETTLED_S = 0.05;
/** The leaf pages of the table, and its root. */
const PAGES_OF_SCAN = 137;

const undoResultOfCpp = (design) =>
  resultOf({
    scenario: 'undo-read-117533',
    design,
    ...UNDO.conditions,
    duration_s: UNDO.seconds[design],
    actions: [{ at_s: UPDATE_AT_S, action: 'update_k' }],
  });
const undoResultOf = (source, design) =>
  resultOf({
    scenario: 'workload',
    workload: compiled(source),
    ...UNDO.conditions,
    design,
    duration_s: UNDO.seconds[design],
  });

/** The latch sites of one read of an undo record, in C++ and in the file. */
const UNDO_STEPS = {
  purge: ['purge_sys->latch/trx_undo_get_undo_rec', 'purge_sys_latch/trx_undo_get_undo_rec'],
  guard: ['purge_sys->end_latch/trx_undo_get_undo_rec', 'end_latch/trx_undo_get_undo_rec'],
  mutex: ['Fil_shard::m_mutex/fil_space_get_page_size', 'fil_shard_mutex/fil_space_get_page_size'],
  rwLock: ['Fil_shard::m_rw_lock/fil_space_get_page_size', 'fil_shard_rw_lock/fil_space_get_page_size'],
  block: ['buf_block_t::lock/trx_undo_get_undo_rec_low', 'block_lock/trx_undo_get_undo_rec_low'],
};
const STEPS_OF_DESIGN = {
  original: ['purge', 'mutex', 'block'],
  shard_rw_lock: ['purge', 'rwLock', 'block'],
  page_size_cached: ['purge', 'block'],
  sharded: ['purge', 'block'],
  fixed: ['guard'],
};
const PAGE_HASH = ['buf_pool->page_hash/buf_page_get_gen', 'page_hash/buf_page_get_gen'];

const acquisitionsAt = ({ latches }, place) =>
  latches.find(({ latch, site }) => `${latch}/${site}` === place)?.acquisitions ?? 0;

test('#117533: the file takes the latches as often as C++, once for each undo record', async () => {
  for (const [design, steps] of Object.entries(STEPS_OF_DESIGN)) {
    const results = [await undoResultOfCpp(design), await undoResultOf(UNDO.source, design)];
    for (const [side, result] of results.entries()) {
      const { counters } = result;
      const reads = side === 0 ? counters.undo_reads : counters.records_read;
      for (const [step, places] of Object.entries(UNDO_STEPS))
        assert.equal(
          acquisitionsAt(result, places[side]),
          steps.includes(step) ? reads : 0,
          `${design}: ${places[side]}`,
        );
      // Other pages are found by the same function. C++ looks a page up again after it was read.
      const others =
        side === 0
          ? counters.page_gets - reads + counters.block_reads + counters.block_reads_lost_race
          : counters.transactions * PAGES_OF_SCAN;
      assert.equal(acquisitionsAt(result, PAGE_HASH[side]) - others, reads, design);
    }
  }
});

/** Returns scans per second and client, of scans that end in the settled time. */
function scanRate({ intervals }) {
  const settled = intervals.filter(({ t_s }) => t_s > SETTLED_S + UNDO.conditions.interval_s / 2);
  const scans = settled.map(({ tps, seconds, latency_ms: { mean } }) => ({ ended: tps * seconds, mean }));
  const sum = (of) => scans.reduce((total, one) => total + of(one), 0);
  return (1000 * sum(({ ended }) => ended)) / sum(({ ended, mean }) => ended * mean);
}

const undoRates = async (resultOfDesign) =>
  Object.fromEntries(
    await Promise.all(
      Object.keys(UNDO.seconds).map(async (design) => [design, scanRate(await resultOfDesign(design))]),
    ),
  );

test('#117533: designs have the ratios that they have in C++', async (context) => {
  assertRatios(
    await undoRates((design) => undoResultOf(UNDO.source, design)),
    await undoRates(undoResultOfCpp),
    (line) => context.diagnostic(line),
  );
});

function changed(source, before, after) {
  assert.equal(source.split(before).length, 2, `${before} is in the file once`);
  return source.replace(before, after);
}
const filRatioDiffers = async (source) => {
  const designs = ['global_mutex', 'sharded_mutex'];
  const file = await filRates((design) => filResultOf(source, design), designs);
  const cpp = await filRates(filResultOfCpp, designs);
  assert.throws(() => assertRatios(file, cpp), /: .* here, .* in C\+\+/);
};

test('a copy without one hold fails', async () => {
  const copy = changed(FIL.source, 'in "fil_node_complete_io" hold fil_system_mutex {', '{');
  const [file, cpp] = [await filResultOf(copy, 'global_mutex'), await filResultOfCpp('global_mutex')];
  assert.throws(() => assertFilCounts('global_mutex', file, cpp), /fil_node_complete_io/);
});

test('a copy with other work fails', async () => {
  await filRatioDiffers(changed(FIL.source, 'page_read = 16us', 'page_read = 30us'));
});

test('a copy with a latch of another kind fails', async () => {
  await filRatioDiffers(
    changed(FIL.source, 'latch fil_system_mutex : innodb_mutex', 'latch fil_system_mutex : pthread_mutex'),
  );
});
