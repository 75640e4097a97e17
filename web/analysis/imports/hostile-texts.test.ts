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

/** The message of the refusal; null: the text was read. */
function refusalOf(lines: Iterable<string>): string | null {
  const reading = new TextImport();
  const encoder = new TextEncoder();
  try {
    for (const line of lines) reading.write(encoder.encode(line));
    reading.end();
    return null;
  } catch (error) {
    if (error instanceof ImportRefused) return error.message;
    throw error;
  }
}

function* repeated(count: number, lineOf: (i: number) => string): Iterable<string> {
  for (let i = 0; i < count; i += 1) yield lineOf(i);
}

test('more stacks or events than fit in memory are refused with their line', () => {
  expect(refusalOf(repeated(250_000, (i) => `a;b;c_${i} 1\n`))).toBeNull();
  expect(refusalOf(repeated(250_001, (i) => `a;b;c_${i} 1\n`))).toMatch(
    /^line 250001: .*at most 250,000 different stacks/,
  );
  const events = (count: number) =>
    repeated(count + 1, (i) =>
      i === 0 ? 'EVENT_NAME\tCOUNT_STAR\tSUM_TIMER_WAIT\n' : `wait/synch/mutex/sql/m_${i}\t1\t1\n`,
    );
  expect(refusalOf(events(20_000))).toBeNull();
  expect(refusalOf(events(20_001))).toMatch(/^line 20002: .*at most 20,000 different events/);
});
