import { expect, test } from 'vitest';

import { importReport } from './import-report';
import type { Imported, LatchTime } from './reader';
import { klockstat } from './klockstat';
import { sysbench } from './sysbench';
import { readText, sampleOf } from './test-fixtures/read';

const textOf = (contents: Imported[]) => ({ source: 'a.txt', form: { id: 'x', title: 'X' }, contents });
const timed = (what: LatchTime['what'], frames: string[], count: number, totalNs: number): LatchTime => ({
  line: 1,
  what,
  frames,
  count,
  totalNs,
  maxNs: null,
});
const latchesOf = (rows: readonly LatchTime[], probedS: number | null = null, others: Imported[] = []) =>
  importReport([textOf([{ kind: 'times', rows }, ...others])], { probedS }).latches;
const holdOf = (...args: Parameters<typeof latchesOf>) => latchesOf(...args)[0]!.hold;

/** Held 500 times for 2 ms, by one thread at a time. */
const rows = [timed('wait', ['mutex_lock', 'ext4_file_write'], 500, 4e9)];
const held = [...rows, timed('hold', ['mutex_lock', 'ext4_file_write'], 500, 1e9)];

test('a caller that holds its latch a tenth of the time can acquire it at most 1 / mean hold times', () => {
  expect(latchesOf(held, 10)[0]).toMatchObject({
    name: 'ext4_file_write',
    mean_wait_us: 8000,
    waiting_threads: 0.4,
    hold: {
      mean_hold_us: 2000,
      holds: 500,
      utilization: 0.1,
      max_acquisitions_per_s: 500,
      max_transactions_per_s: null,
      remark: null,
    },
  });
});

const runs = (...transactionsPerS: number[]): Imported => ({
  kind: 'runs',
  runs: transactionsPerS.map((tps) => ({
    ...{ line: 1, threads: 4, transactionsPerS: tps, queriesPerS: null, meanMs: null, p95Ms: null },
  })),
});

test('with the rate of one benchmark run, the limit is one of transactions, too', () => {
  // 50 acquisitions/s for 25 transactions/s are two per transaction.
  expect(holdOf(held, 10, [runs(25)])!.max_transactions_per_s).toBe(250);
  expect(holdOf(held, 10, [runs(25, 50)])!.max_transactions_per_s).toBeNull();
  expect(holdOf(held, 10, [runs(0)])!.max_transactions_per_s).toBeNull();
  expect(holdOf(held, null, [runs(25)])!.max_transactions_per_s).toBeNull();
});

test('without the time of the probe, the limit is known and the utilization is not', () => {
  expect(holdOf(held)).toMatchObject({
    utilization: null,
    max_acquisitions_per_s: 500,
    remark: 'the text does not say how long the probe ran',
  });
});

test('a latch without times of holds has none', () => {
  expect(holdOf(rows, 10)).toBeNull();
  expect(holdOf([...rows, timed('hold', ['mutex_lock', 'other'], 500, 1e9)], 10)).toBeNull();
});

test.each([
  ['shared holders', ['down_read', 'ext4_file_write'], 1e9, 'several threads may hold it at once'],
  ['more holders than one at once', ['mutex_lock', 'ext4_file_write'], 25e9, 'held 2.5 times at once'],
] as const)('%s limit nothing', (_, frames, totalNs, remark) => {
  const waits = timed('wait', [...frames], 500, 4e9);
  const hold = holdOf([waits, timed('hold', [...frames], 500, totalNs)], 10)!;
  expect(hold).toMatchObject({ utilization: null, max_acquisitions_per_s: null });
  expect(hold.remark).toContain(remark);
});

test('a latch without a caller may be any, so its holds limit nothing', () => {
  const frames = ['mutex_lock'];
  const [latch] = latchesOf([timed('wait', frames, 500, 4e9), timed('hold', frames, 500, 1e9)], 10);
  expect(latch).toMatchObject({
    name: 'mutex_lock',
    hold: { utilization: null, max_acquisitions_per_s: null },
  });
});

test('callers, not functions of the kernel that acquire for them, are named', () => {
  const contents = readText(klockstat, sampleOf('klockstat-units'));
  const latches = importReport([textOf(contents)], { probedS: 900 }).latches;
  expect(latches.map(({ name }) => name)).toEqual(['do_mmap', 'kernfs_fop_readdir']);
  expect(latches[0]!.hold).toMatchObject({ mean_hold_us: 90e6, utilization: 0.1 });
});

test('logs of a benchmark beside the tables are read as its rate', () => {
  const contents = [...readText(sysbench, sampleOf('sysbench-1')), { kind: 'times' as const, rows: held }];
  expect(
    importReport([textOf(contents)], { probedS: 10 }).latches[0]!.hold!.max_transactions_per_s,
  ).toBeGreaterThan(0);
});
