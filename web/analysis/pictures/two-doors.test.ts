import { expect, test } from 'vitest';

import { phaseOf } from './test-fixtures';
import { activeFileShare, expectedGapNs, longestFreeze, type WaitSpan } from './two-doors';

const wait = (slot: number, fromNs: number, toNs: number, more: Partial<WaitSpan> = {}): WaitSpan => ({
  slot,
  fromNs,
  toNs,
  state: 'waiting',
  latch: 'LOCK_log',
  holder: 4,
  ...more,
});

test('the longest wait for the second door, and who stands behind it', () => {
  const spans = [
    wait(4, 100, 900, { latch: 'LOCK_index', holder: 2 }),
    wait(5, 0, 50, { latch: 'LOCK_index', holder: 3 }),
    wait(6, 200, 900),
    wait(7, 300, 900, { state: 'following', latch: null, holder: null }),
    // One wait that ends before the middle, and one for another latch.
    wait(8, 100, 300),
    wait(9, 100, 900, { latch: 'trx_sys->mutex' }),
  ];
  expect(longestFreeze(spans)).toEqual({ waitedNs: 800, rotating: 4, purging: 2, behind: 2 });
  expect(longestFreeze(spans.slice(2))).toBeNull();
});

test('the active file: what was written, less whole files', () => {
  const settings = { maxBytes: 1000, activeBytes: 0 };
  const counts = { binlog_bytes_written: 2_600, binlog_files_rotated: 2 };
  expect(activeFileShare(phaseOf({ counts }), settings)).toBeCloseTo(0.6);
  const flushed = phaseOf({ counts, actions: ['flush_binary_logs'] });
  expect(activeFileShare(flushed, settings)).toBeNull();
  expect(
    activeFileShare(phaseOf({ counts: { ...counts, binlog_rotations_deferred: 1 } }), settings),
  ).toBeNull();
});

test('the gap by the rule: 28 files of 0.2 s each, less half a second to fill the next one', () => {
  const before = phaseOf({ seconds: 0.25, counts: { binlog_bytes_written: 500 } });
  const rule = { files: 28, unlinkNs: 0.2e9, maxBytes: 1000 };
  expect(expectedGapNs(before, rule)).toBeCloseTo(5.1e9);
  expect(expectedGapNs(before, { ...rule, files: 1 })).toBe(0);
  expect(expectedGapNs(undefined, rule)).toBeNull();
});
