import { expect, test } from 'vitest';

import type { LatchEvent } from '../../contract/telemetry-states';
import { lineHops, undoCost } from './line-hops';
import { phaseOf, rowOf } from './test-fixtures';

const access = (atNs: number, fromCore: number | null, core: number, tookNs = 100): LatchEvent => ({
  at_ns: atNs,
  kind: 'read_modify_write',
  latch: 1,
  slot: 0,
  site: -1,
  access: { took_ns: tookNs, core, from_core: fromCore, latch_class: 0, line: 0, word: 0, value: 0 },
});
const gets = (atNs: number): LatchEvent => ({ ...access(atNs, null, 0), kind: 'gets', access: null });

test('a hop is an access for which the line comes from another core; some lead out of the group', () => {
  const events = [
    access(1, null, 0),
    access(2, 0, 0),
    gets(2),
    access(3, 0, 3, 40),
    gets(3),
    access(4, 3, 9, 160),
  ];
  const whole = { fromNs: 0, untilNs: 10 };
  expect(lineHops(events, 8, whole)).toEqual({
    shown: [
      { atNs: 3, tookNs: 40, from: 0, to: 3 },
      { atNs: 4, tookNs: 160, from: 3, to: 9 },
    ],
    count: 2,
    across: 1,
    tookNs: 100,
    perAcquisition: 1,
  });
  expect(lineHops(events, 8, { ...whole, fromNs: 4 })).toMatchObject({ count: 1, perAcquisition: null });
  expect(lineHops(events, 8, { ...whole, untilNs: 2 })).toBeNull();
});

test('what each latch costs an undo read, and how far back a row is read', () => {
  const phase = phaseOf({
    seconds: 0.5,
    counts: { undo_reads: 1_000_000 },
    totals: { undo_records_written: 20_500, undo_records_purged: 500 },
    latches: [
      rowOf('purge_sys->latch', [{ function: 'trx_undo_get_undo_rec', acquisitions: 1_000_000 }], {
        cost_share: 0.1,
      }),
      rowOf('Fil_shard::m_mutex', [{ function: 'fil_space_get_page_size', acquisitions: 1_000_000 }], {
        cost_share: 0.8,
      }),
      rowOf('purge_sys->end_latch', [{ function: 'trx_purge_truncate_history', acquisitions: 3 }]),
      rowOf('buf_pool->LRU_list_mutex', [{ function: 'x', acquisitions: 1_000_000 }]),
    ],
  });
  // 32 clients for half a second, divided by a million reads: 16,000 ns each.
  expect(undoCost(phase, { clients: 32, rows: 10_000 })).toMatchObject({
    undoReadsPerS: 2_000_000,
    versionsPerRow: 2,
    latches: [
      { latch: 'Fil_shard::m_mutex', costNs: 12_800 },
      { latch: 'purge_sys->latch', costNs: 1_600 },
    ],
  });
  expect(undoCost(phaseOf({ counts: { rows_scanned: 5 } }), { clients: 32, rows: 10_000 })).toBeNull();
});
