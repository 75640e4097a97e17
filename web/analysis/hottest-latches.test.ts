import { expect, test } from 'vitest';

import { hottestLatches } from './hottest-latches';
import type { LatchRow } from './latch-table';
import { StackTable } from './stack-table';
import type { ThreadSample } from './thread-sample';

const names = {
  functions: ['fil_io', 'trx_undo_get_undo_rec'],
  latches: ['Fil_shard::m_mutex', 'purge_sys->latch', 'idle'],
  latch_sites: [
    { latch: 0, function: 0 },
    { latch: 1, function: 1 },
    { latch: 2, function: 0 },
  ],
};
const look = (parts: Partial<ThreadSample>): ThreadSample => ({
  ...{ is_client: true, ordinal: 0, state: 'running', waits_for: null, holds: [], stack: 0 },
  ...parts,
});
const row = (latch: string, cost_share: number) => ({ latch, cost_share }) as LatchRow;

test('the cost of a name goes to its latches as often as threads were found at each', () => {
  const by_moment = [
    [
      look({ waits_for: { site: 0, latch: 11 }, holds: [{ site: 2, latch: 40 }] }),
      look({ waits_for: { site: 0, latch: 11 } }),
      look({ waits_for: { site: 0, latch: 12 } }),
      look({ holds: [{ site: 1, latch: 30 }] }),
    ],
  ];
  const rows = [row('Fil_shard::m_mutex', 0.6), row('purge_sys->latch', 0.3), row('idle', 0)];
  const samples = { by_moment, stack_table: new StackTable(), names };
  expect(hottestLatches(samples, rows, 8)).toEqual([11, 30, 12]);
  expect(hottestLatches(samples, rows, 2)).toEqual([11, 30]);
});
