import { describe, expect, test } from 'vitest';

import { bucketOf } from './histogram';
import type { LatchRow } from '../contract/live-view';
import type { MeasuredHere, When } from '../contract/manifest';
import { isComparable, measuredHere, ratioToReported, reportedUnder } from './reported';
import { snapshotOf } from './test-fixtures';

const before = snapshotOf({});
const after = snapshotOf({
  runNs: 2e9,
  counters: {
    block_reads: 500,
    transactions: 800,
    latency_samples: 1000,
    queries_read: 40,
    queries_write: 20,
  },
});
after.histogram[bucketOf(2e6)] = 1000;
const rows = [{ latch: 'fil_system->mutex', per_operation: 6 }] as LatchRow[];

test.each<[MeasuredHere['kind'], string, number]>([
  ['counter_per_second', 'block_reads', 250],
  ['transactions_per_second', '', 400],
  ['latch_acquisitions_per_operation', 'fil_system->mutex', 6],
  ['read_write_requests_per_second', '', 30],
  ['latency_ms_p95', '', 2],
  ['latency_ms_p99', '', 2],
])('%s', (kind, of, expected) => {
  const here = measuredHere({ kind, of }, { before, after }, rows);
  expect(Math.abs(here! / expected - 1)).toBeLessThan(1 / 64);
});

describe('the ratio to a reported figure', () => {
  test.each<[number, number | [number, number], number | null]>([
    [120_000, 240_000, 0.5],
    [5, [4, 6], 1],
    [6, [4, 6], 1],
    [2, [4, 6], 0.5],
    [9, [4, 6], 1.5],
    [3, 0, null],
  ])('%d against %j is %j', (here, reported, ratio) => {
    expect(ratioToReported(here, reported)).toBe(ratio);
  });
});

describe('a range that spans two designs', () => {
  const value: [number, number] = [708, 1987];
  const common = { id: 'x', figure: '', unit: '', conditions: '', source: '' };
  const both = { ...common, value, ends: ['original', 'reporters_patch'] as [string, string] };

  test.each([
    ['original', 708],
    ['reporters_patch', 1987],
    ['fixed', null],
    [null, null],
  ])('is for %s held against %j', (design, end) => {
    expect(reportedUnder(both, design)).toBe(end);
  });

  test('is no range of one design, which has no ends', () => {
    expect(reportedUnder({ ...common, value }, 'fixed')).toEqual(value);
  });
});

describe('a measurement is of the same kind as the reported figure', () => {
  const comparable = (when: When | undefined, design: string | null, ...actions: string[]) =>
    isComparable(
      { kind: 'transactions_per_second', of: '', ...(when && { when }) },
      { design, actions, supposes: false },
    );

  test('never, if the run supposes something', () => {
    const here = { kind: 'transactions_per_second', of: '' } as const;
    expect(isComparable(here, { design: null, actions: [], supposes: true })).toBe(false);
  });

  test('always, if nothing else is said', () => {
    expect(comparable(undefined, null, 'update_k')).toBe(true);
  });

  test('until an action is done', () => {
    expect(comparable({ before: 'update_k' }, null, 'grow')).toBe(true);
    expect(comparable({ before: 'update_k' }, null, 'update_k', 'release_views')).toBe(false);
  });

  test('while an action is the last one', () => {
    expect(comparable({ after: 'update_k' }, null)).toBe(false);
    expect(comparable({ after: 'update_k' }, null, 'grow', 'update_k')).toBe(true);
    expect(comparable({ after: 'update_k' }, null, 'update_k', 'release_views')).toBe(false);
  });

  test('under a design', () => {
    expect(comparable({ design: 'original' }, 'original')).toBe(true);
    expect(comparable({ design: 'original' }, null)).toBe(false);
  });
});
