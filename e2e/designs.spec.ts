// The counters of a run prove which design ran: acquisitions of the tablespace latches per block read, to the last one.
import type { RunResult } from '../web/contract/run-result';
import { expect, expectSoundRun, minimal_spec, test } from './explorer';

type Counters = RunResult['counters'] &
  Record<
    | 'block_reads'
    | 'block_reads_leaf'
    | 'block_reads_no_ibuf'
    | 'block_reads_lost_race'
    | 'read_ahead_linear_checks',
    number
  >;

// What each read takes; but pages 0 and 1 of a tablespace are none of the change buffer's business. And what each look of
// linear read-ahead takes.
const taken = (counters: Counters, per_read: number, per_no_ibuf_read: number, per_look: number) =>
  per_read * (counters.block_reads - counters.block_reads_no_ibuf) +
  per_no_ibuf_read * counters.block_reads_no_ibuf +
  per_look * counters.read_ahead_linear_checks;

// A read that finds another thread reading the same page has taken only the first acquisition.
const expected_acquisitions: Record<string, Record<string, (counters: Counters) => number>> = {
  global_mutex: {
    'fil_system->mutex': (counters) => taken(counters, 6, 4, 2) + counters.block_reads_lost_race,
    'Fil_shard::m_mutex': () => 0,
  },
  release_by_pointer: {
    'fil_system->mutex': (counters) => taken(counters, 4, 2, 2),
    'Fil_shard::m_mutex': () => 0,
  },
  sharded_mutex: {
    'fil_system->mutex': () => 0,
    'Fil_shard::m_mutex': (counters) => taken(counters, 3, 3, 2) + 2 * counters.block_reads_leaf,
  },
  single_lookup_pin: {
    'fil_system->mutex': (counters) => taken(counters, 1, 1, 1) + counters.block_reads_lost_race,
    'Fil_shard::m_mutex': () => 0,
  },
  atomic_word: {
    'fil_system->mutex': () => 0,
    'Fil_shard::m_mutex': () => 0,
  },
};

const acquisitionsOf = (result: RunResult, latch: string) =>
  result.latches.filter((row) => row.latch === latch).reduce((sum, row) => sum + row.acquisitions, 0);

test('each design takes its latches exactly as often as it says', async ({ explorer }) => {
  await explorer.open();
  for (const [variant, latches] of Object.entries(expected_acquisitions)) {
    await test.step(variant, async () => {
      const design = { tablespace_lookup: variant };
      const result = await explorer.run({ ...minimal_spec, design, duration_s: 0.5 });
      expectSoundRun(result);
      const counters = result.counters as Counters;
      expect(counters.block_reads).toBeGreaterThan(0);
      for (const [latch, expected] of Object.entries(latches)) {
        expect(acquisitionsOf(result, latch), latch).toBe(expected(counters));
      }
      expect(result.totals.transactions).toBe(counters.rows_verified);
    });
  }
});

test('flipping through all designs in one run loses no look-up', async ({ explorer }) => {
  await explorer.open();
  const variants = Object.keys(expected_acquisitions);
  const result = await explorer.run({
    ...minimal_spec,
    duration_s: 2.5,
    actions: variants.map((_, index) => ({
      at_s: 0.2 + index * 0.4,
      knob: 'tablespace_lookup',
      variant: variants[(index + 1) % variants.length],
    })),
  });
  expectSoundRun(result);
  expect(result.totals.transactions).toBe(result.counters.rows_verified);
  expect((await explorer.marks()).map(({ value }) => value)).toEqual([1, 2, 3, 4, 0]);
});

test('a table dropped under its readers gives errors, not wrong rows', async ({ explorer }) => {
  await explorer.open();
  const result = await explorer.run({
    ...minimal_spec,
    duration_s: 1.5,
    parameters: { tables: 2 },
    actions: [
      { at_s: 0.3, action: 'drop_table' },
      { at_s: 0.9, action: 'create_table' },
    ],
  });
  expectSoundRun(result);
  expect(result.counters.tablespace_missing).toBeGreaterThan(0);
});
