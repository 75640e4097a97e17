import { defaultRunSpec } from './run-spec.ts';
import { fil_mutex, machine } from './test-fixtures.ts';
import type { Explanation, TableOfTimes } from './explanation.ts';

/**
 * A synthetic explanation: client 0 works for 10 µs, waits 30 µs for a mutex, works again. Client 1
 * holds the mutex for 20 µs of that, and waits for another mutex, which client 2 holds. Then the
 * mutex is free for 10 µs.
 */
export const drawn_explanation: Explanation = {
  version: 1,
  spec: {
    ...defaultRunSpec(fil_mutex.manifest, machine, 'virtual'),
    threads: 3,
    duration_s: 0.02,
    interval_s: 0.005,
  },
  asked_for: 'slowest',
  transactions: 200,
  rank: 1,
  transaction: {
    thread: 'client 0',
    slot: 0,
    ordinal: 7,
    began_ps: 900_000_000,
    began_run_ps: 20_000_000,
    latency_ps: 50_000_123,
    is_over: true,
    chain_parts: 2,
    parts: [
      { state: 'running', from_ps: 0, ps: 10_000_000 },
      {
        state: 'waiting',
        from_ps: 10_000_000,
        ps: 20_000_000,
        latch: 'fil_system->mutex',
        latch_number: 7,
        site: 'fil_space_get_version',
        behind: 'holder',
        holder: { thread: 'client 1', slot: 1, latch: 'fil_system->mutex', site: 'fil_io', holders: 1 },
        chain: [
          {
            state: 'spinning',
            from_ps: 10_000_000,
            ps: 20_000_000,
            latch: 'buf_pool->mutex',
            latch_number: 8,
            site: 'buf_page_get_gen',
            behind: 'holder',
            holder: { thread: 'client 2', slot: 2, latch: 'buf_pool->mutex', site: 'buf_LRU_get_free_block' },
            chain: [
              { state: 'sleeping', from_ps: 10_000_000, ps: 20_000_000, function: 'buf_LRU_get_free_block' },
            ],
          },
        ],
      },
      {
        state: 'waiting',
        from_ps: 30_000_000,
        ps: 10_000_000,
        latch: 'fil_system->mutex',
        latch_number: 7,
        site: 'fil_space_get_version',
        behind: 'nobody',
      },
      { state: 'running', from_ps: 40_000_000, ps: 10_000_123 },
    ],
  },
  blame: {
    transactions: 2,
    slowest_1_percent: 3,
    left_out: 1,
    latency_ps: 100_000_000,
    by_state: [{ state: 'waiting', ps: 60_000_000, share: 0.6 }],
    by_latch: [{ latch: 'fil_system->mutex', ps: 60_000_000, share: 0.6 }],
    by_site: [{ latch: 'fil_system->mutex', site: 'fil_space_get_version', ps: 60_000_000, share: 0.6 }],
    by_holder: [
      {
        latch: 'fil_system->mutex',
        site: 'fil_space_get_version',
        behind: 'holder',
        holder_latch: 'fil_system->mutex',
        holder_site: 'fil_io',
        ps: 40_000_000,
        share: 0.4,
      },
      {
        latch: 'fil_system->mutex',
        site: 'fil_space_get_version',
        behind: 'nobody',
        ps: 20_000_000,
        share: 0.2,
      },
    ],
    by_end: [{ state: 'sleeping', function: 'buf_LRU_get_free_block', ps: 40_000_000, share: 0.4 }],
  },
};

const wait = { ps: 30_000_000, share: 0.6, level: 0 };

/** The engine's tables of that explanation; only part of the blame. */
export const drawn_tables: readonly TableOfTimes[] = [
  {
    id: 'transaction',
    heading: 'Transaction 7 of client 0 took 50.000123 us: rank 1 of 200 by latency.',
    rows: [],
  },
  {
    id: 'states',
    heading: 'Total by state:',
    rows: [
      { what: 'running', ps: 20_000_123, share: 0.4, level: 0 },
      { what: 'waiting', ...wait },
    ],
  },
  {
    id: 'chain',
    heading: 'States, with the cause of each wait:',
    rows: [
      {
        what: 'fil_system->mutex in fil_space_get_version: waiting 20.000000 us, ready 10.000000 us',
        ...wait,
      },
      { what: 'held by client 1, acquired in fil_io', ps: 20_000_000, share: 0.4, level: 1 },
    ],
  },
  {
    id: 'in_order',
    heading: 'In time order:',
    rows: [{ what: '(4 rows under 1 % each; --json lists them)' }],
  },
  { id: 'slowest', heading: 'Slowest 1 % of transactions: 2 of 3, 100.000000 us in total.', rows: [] },
  {
    id: 'slowest_by_latch',
    heading: 'By latch:',
    rows: [{ what: 'fil_system->mutex', ps: 60_000_000, share: 0.6, level: 0 }],
  },
  {
    id: 'slowest_by_end',
    heading: 'By end of each chain:',
    rows: [{ what: 'sleeping in buf_LRU_get_free_block', ps: 40_000_000, share: 0.4, level: 0 }],
  },
];
