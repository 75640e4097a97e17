// Changes texts at random places: each is refused with its place, or read without a wrong number.
import fc from 'fast-check';
import { expect, test } from 'vitest';

import { importedWaits } from './imported-waits';
import { ImportRefused } from './reader';
import { SnapshotsRefused } from './snapshots';
import { separatedText, someRows, tableText, verticalText } from './test-fixtures';
import { TextImport } from './text-import';

const texts = [
  tableText(someRows, { Uptime: 10, Questions: 1000 }),
  separatedText(someRows),
  separatedText(someRows, ',', '"'),
  verticalText(someRows),
  `----------\nSEMAPHORES\n----------\n--Thread 1 has waited at a.cc line 2 for 0.5 seconds the semaphore:\nMutex at 0x1, Mutex TRX_SYS created trx0sys.cc:576, lock var 1\n------------\nTRANSACTIONS\n------------\n`,
  'Type\tName\tStatus\nInnoDB\trwlock: dict0dict.cc:1037\twaits=6\n',
];

const pieces = [
  '',
  '\n',
  '\t',
  '|',
  '0',
  '-1',
  '1e9',
  '9'.repeat(30),
  ',',
  '"',
  '\0',
  '\u202E',
  '∞',
  'NULL',
  '+--+',
  '*'.repeat(12),
];

const change = fc.record({
  at: fc.nat(2000),
  removed: fc.nat(40),
  inserted: fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 8 })),
});

const changed = (text: string, changes: readonly { at: number; removed: number; inserted: string }[]) =>
  changes.reduce((before, { at, removed, inserted }) => {
    const from = at % (before.length + 1);
    return before.slice(0, from) + inserted + before.slice(from + removed);
  }, text);

const read = (text: string, size: number) => {
  const reading = new TextImport();
  const bytes = new TextEncoder().encode(text);
  for (let from = 0; from < bytes.length; from += size) reading.write(bytes.subarray(from, from + size));
  return importedWaits([{ source: 'a.txt', ...reading.end() }], () => null);
};

const attempt = (text: string, size: number) => {
  try {
    return read(text, size);
  } catch (error) {
    if (error instanceof ImportRefused || error instanceof SnapshotsRefused) return error.fault;
    throw error;
  }
};

test('a changed text is refused with a fault, or its shares add up; pieces of any size give the same', () => {
  const changes = fc.array(change, { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(fc.constantFrom(...texts), changes, fc.integer({ min: 1, max: 99 }), (text, all, size) => {
      const hostile = changed(text, all);
      const outcome = attempt(hostile, Number.POSITIVE_INFINITY);
      expect(attempt(hostile, size)).toEqual(outcome);
      if ('field' in outcome) {
        expect(outcome.field).toMatch(/^line \d+/);
        return;
      }
      const sum = outcome.latches.reduce((total, { share }) => total + share, 0);
      expect(sum === 0 || Math.abs(sum - 1) < 1e-9).toBe(true);
      for (const { share, count, waitS } of outcome.latches)
        expect([share, count ?? 0, waitS ?? 0].every((value) => value >= 0 && Number.isFinite(value))).toBe(
          true,
        );
    }),
    { numRuns: 2000, seed: 1 },
  );
});
