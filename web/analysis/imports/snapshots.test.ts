import { expect, test } from 'vitest';

import { rankedEvents } from './latch-waits';
import { countedWaits, SnapshotsRefused } from './snapshots';
import { separatedText, snapshotsOf, someRows, tableText, type EventRow } from './test-fixtures';

/** The rows after a time in which each event happened `times` times as often again. */
const later = (rows: readonly EventRow[], times = 2): EventRow[] =>
  rows.map(([event, count, sum]) => [event, Number(count) * times, Number(sum) * times]);
const sleeperOf = (event: string) => (event.endsWith('COND_manager') ? 'the manager thread' : null);

test('two snapshots give what happened between them, in any order', () => {
  const a = tableText(someRows, { Uptime: 100, Questions: 1000 });
  const b = tableText(later(someRows), { Uptime: 108, Questions: 3000 });
  for (const texts of [
    [a, b],
    [b, a],
  ]) {
    const waits = countedWaits(snapshotsOf(...texts));
    expect(waits).toMatchObject({ isDifference: true, intervalS: 8, statements: 2000, inOneOnly: [] });
    expect(waits.rows.find(({ event }) => event.endsWith('LOCK_log'))).toEqual({
      ...{ event: 'wait/synch/mutex/sql/MYSQL_BIN_LOG::LOCK_log', count: 4000, waitS: 6 },
    });
  }
});

test('snapshots of which one names no uptime are ordered by their counts', () => {
  const texts = [tableText(later(someRows)), tableText(someRows, { Uptime: 1 })];
  expect(countedWaits(snapshotsOf(...texts)).rows[0]!.count).toBe(1000);
});

test('both snapshots may be in one text', () => {
  const [one, other] = [tableText(someRows), tableText(later(someRows))];
  expect(countedWaits(snapshotsOf(one + other))).toEqual(countedWaits(snapshotsOf(one, other)));
});

test('latches are ranked by their share of waiting; idle time, tables and sleepers stand apart', () => {
  const texts = [tableText(someRows, { Uptime: 100 }), tableText(later(someRows), { Uptime: 108 })];
  const { latches, apart } = rankedEvents(countedWaits(snapshotsOf(...texts)), sleeperOf);
  expect(latches.map(({ name, share }) => [name, share])).toEqual([
    ['sql/MYSQL_BIN_LOG::LOCK_log', 0.75],
    ['innodb/trx_sys_mutex', 0.25],
  ]);
  expect(latches[0]).toMatchObject({ meanWaitS: 6 / 4000, waitingThreads: 0.75, perStatement: null });
  expect(apart.map(({ event, reason }) => [event, reason])).toEqual([
    ['idle', 'the server waits for its clients'],
    ['wait/synch/cond/sql/COND_manager', 'sleep of the manager thread'],
    ['wait/io/table/sql/handler', 'use of tables, with all other waits inside, and their locks'],
  ]);
});

test('an event that only one snapshot has is no zero', () => {
  const waits = countedWaits(snapshotsOf(separatedText(someRows.slice(1)), separatedText(later(someRows))));
  expect(waits.inOneOnly).toEqual(['idle']);
  expect(waits.rows.map(({ event }) => event)).not.toContain('idle');
});

const log = someRows[2]![0];
const changed = (count: number, sum: number) =>
  later(someRows).map((row): EventRow => (row[0] === log ? [log, count, sum] : row));

test.each([
  ['a counter that was reset', changed(10, 5e12 + 2e12), /COUNT_STAR 10 of wait.*LOCK_log/],
  ['a sum that ran over', changed(9000, 5e12), /SUM_TIMER_WAIT 5000000000000/],
  ['a longest wait that became shorter', changed(90_000, 9e12), /MAX_TIMER_WAIT 200000000/],
])('%s is refused with both lines', (_, rows, value) => {
  const refused = () => countedWaits(snapshotsOf(separatedText(someRows), separatedText(rows)));
  expect(refused).toThrow(SnapshotsRefused);
  expect(refused).toThrow(/line 4 of b\.txt is .*as in line 4 of a\.txt/);
  expect(refused).toThrow(value);
});

test('snapshots of two servers are refused', () => {
  const text = (host: string, rows: readonly EventRow[]) => tableText(rows, { hostname: host });
  expect(() => countedWaits(snapshotsOf(text('db1', someRows), text('db2', later(someRows))))).toThrow(
    /hostname db2; allowed: db1, as in line \d+ of a\.txt/,
  );
  const others = someRows.map(([event, count, sum]): EventRow => [`${event}_x`, count, sum]);
  expect(() => countedWaits(snapshotsOf(separatedText(someRows), separatedText(later(others))))).toThrow(
    /0 of 5 events in common/,
  );
});

const atEach = (times: readonly number[]) =>
  times
    .map((count, i) => tableText(later(someRows, count), { Uptime: 100 + 8 * i, Questions: 1000 * (i + 1) }))
    .join('\n');

test('of many snapshots in a text, those between others are not kept', () => {
  const snapshots = snapshotsOf(atEach([1, 2, 3, 4, 5, 6, 7, 8]));
  expect(snapshots.length).toBeLessThanOrEqual(3);
  expect(countedWaits(snapshots)).toMatchObject({ intervalS: 56, statements: 7000 });
  expect(countedWaits(snapshots).rows[0]!.count).toBe(7000);
});

test('counters that were reset between snapshots of a text are still refused', () => {
  for (const times of [
    [1, 2, 3, 2, 5, 6, 7],
    [4, 1, 2, 3, 5, 6, 7],
    [1, 2, 3, 4, 5, 6, 4],
  ])
    expect(() => countedWaits(snapshotsOf(atEach(times)))).toThrow(SnapshotsRefused);
});
