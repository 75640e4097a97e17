import { expect, test } from 'vitest';

import { importReport } from './import-report';
import { contentsOf, separatedText, sysbenchText, tableText, type EventRow } from './test-fixtures';

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

test('runs of a benchmark name their file; the fit is over all files', () => {
  const files = [1, 2, 4, 8].map((threads) => ({
    ...{ source: `${threads}.log`, form: { id: 'sysbench', title: 'log of sysbench' } },
    contents: contentsOf(sysbenchText(threads, 100 * threads, 5)),
  }));
  const { basis, latches, runs, usl } = importReport(files);
  expect([basis, latches]).toEqual([null, []]);
  expect(runs.map(({ file, threads, tps, p95_ms: ms }) => [file, threads, tps, ms])).toEqual([
    ['1.log', 1, 100, 5],
    ['2.log', 2, 200, 5],
    ['4.log', 4, 400, 5],
    ['8.log', 8, 800, 5],
  ]);
  expect(usl).toMatchObject({ ok: true, fit: { sigma: { value: 0 }, kappa: { value: 0 }, peak: null } });
  expect(reportOf([log])).toMatchObject({ runs: [], usl: null });
});

const serverIn = (status: Record<string, string>) => reportOf([log], status).server;

test('the version of the server is that of the texts, without what it was built for', () => {
  expect(serverIn({ '@@version': '8.0.36-0ubuntu0.22.04.1' })).toEqual({
    server: 'mysql',
    version: '8.0.36',
  });
  expect(serverIn({ version: '5.5.5-10.11.19-MariaDB-log' })).toEqual({
    server: 'mariadb',
    version: '10.11.19',
  });
  expect(serverIn({ version: '8.0.36-28', version_comment: 'Percona Server (GPL)' })).toEqual({
    server: 'percona',
    version: '8.0.36',
  });
  expect(serverIn({ 'version()': '8.0.mysql_aurora.3.04.0' })).toEqual({ server: 'mysql', version: '8.0' });
  expect(serverIn({ version_comment: 'Source distribution' })).toEqual({ server: 'mysql', version: null });
  expect(serverIn({ Ssl_version: 'TLSv1.3' })).toBeNull();
});

test('the client names the version, too; two versions are none', () => {
  const said = (line: string, status = {}) =>
    importReport([
      {
        ...{ source: 'a.txt', form: { id: 'x', title: 'X' } },
        contents: contentsOf(`${line}\n\n${tableText([log], status)}`),
      },
    ]).server;
  const line = 'Server version:\t\t8.0.36 MySQL Community Server - GPL';
  expect(said(line)).toEqual({ server: 'mysql', version: '8.0.36' });
  expect(said(line, { version: '8.0.40' })).toEqual({ server: 'mysql', version: null });
});

test.each([
  ['two columns', '@@version\t@@hostname\n8.0.36\tdb1\n'],
  ['one column', 'version()\n8.0.36\n'],
  ['one column, then others', '@@hostname\ndb1\n@@version\t@@port\n8.0.36\t3306\n'],
])('the batch mode of the client prints the version without borders: %s', (_, text) => {
  const status = 'Variable_name\tValue\nUptime\t8\nQuestions\t90\n';
  const report = (whole: string) =>
    importReport([{ source: 'a.tsv', form: { id: 'x', title: 'X' }, contents: contentsOf(whole) }]);
  const events = separatedText([log]);
  for (const whole of [events + status + text, events + text + status, text + events + status])
    expect(report(whole)).toMatchObject({
      ...{ server: { server: 'mysql', version: '8.0.36' }, interval_s: 8, statements: 90 },
      latches: [{ event: log[0] }],
    });
});
