import { expect, test } from 'vitest';

import { importReport } from './import-report';
import { contentsOf, tableText, type EventRow } from './test-fixtures';

const reportOf = (rows: readonly EventRow[], status = {}) =>
  importReport([
    { source: 'a.txt', form: { id: 'x', title: 'X' }, contents: contentsOf(tableText(rows, status)) },
  ]);

test('a latch has its entry, with the bug that it causes first', () => {
  const { latches } = reportOf([
    ['wait/synch/mutex/sql/MYSQL_BIN_LOG::LOCK_log', 4, 400],
    ['wait/synch/mutex/sql/LOCK_of_nothing', 1, 100],
  ]);
  expect(latches.map(({ name }) => name)).toEqual(['sql/MYSQL_BIN_LOG::LOCK_log', 'sql/LOCK_of_nothing']);
  expect(latches[0]!.matched!.bugs[0]).toMatchObject({ scenario: 'binlog-purge-104615', role: 'cause' });
  expect(latches[1]!.matched).toBeNull();
});

/** The binary log of MariaDB, and the query log of MySQL. */
const log: EventRow = ['wait/synch/mutex/sql/LOG::LOCK_log', 1, 1];
const ofAria: EventRow = ['wait/synch/mutex/aria/PAGECACHE::cache_lock', 1, 1];
const idOf = (rows: readonly EventRow[], status = {}) =>
  reportOf(rows, status).latches.find(({ event }) => event === log[0])!.matched?.id ?? null;

test('a name with two meanings is that of the server that the text names', () => {
  const [inMariadb, inMysql] = [
    idOf([log], { version: '10.11.19-MariaDB' }),
    idOf([log], { version: '9.7.4' }),
  ];
  expect(new Set([inMariadb, inMysql, null]).size).toBe(3);
  expect(idOf([log])).toBeNull();
  // Versions of something else say nothing about the server.
  expect(idOf([log], { Ssl_version: 'TLSv1.3', tls_version: 'TLSv1.3' })).toBeNull();
  expect(idOf([log, ofAria])).toBe(inMariadb);
});
