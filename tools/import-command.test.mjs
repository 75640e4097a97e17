// Tests `latchscope import`: what it ranks, and how it refuses.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { EXIT, repository } from './processes.mjs';

const folder = mkdtempSync(join(tmpdir(), 'latchscope-import-'));
after(() => rmSync(folder, { recursive: true }));

function importFiles(texts, ...options) {
  const files = texts.map((text, index) => {
    const file = join(folder, `${index}.tsv`);
    writeFileSync(file, text);
    return file;
  });
  const command = [join(repository, 'tools/cli.mjs'), 'latchscope', 'import', ...files, ...options];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' });
  return { status, stdout, stderr };
}

const snapshot = (times) =>
  [
    'EVENT_NAME\tCOUNT_STAR\tSUM_TIMER_WAIT',
    `idle\t${5 * times}\t${9e13 * times}`,
    `wait/synch/cond/sql/COND_manager\t${2 * times}\t${8e13 * times}`,
    `wait/synch/mutex/innodb/fil_system_mutex\t${400 * times}\t${3e12 * times}`,
    `wait/synch/mutex/sql/MYSQL_BIN_LOG::LOCK_log\t${100 * times}\t${9e12 * times}`,
    '',
  ].join('\n');

test('the JSON has the latches by their share of waiting, with their entries in the catalogue', () => {
  const { status, stdout } = importFiles([snapshot(1), snapshot(3)], '--json', '-');
  assert.equal(status, 0);
  const { latches, apart, basis } = JSON.parse(stdout);
  assert.equal(basis, 'time between snapshots');
  assert.deepEqual(
    latches.map(({ name, share, count, wait_s }) => [name, share, count, wait_s]),
    [
      ['sql/MYSQL_BIN_LOG::LOCK_log', 0.75, 200, 18],
      ['innodb/fil_system_mutex', 0.25, 800, 6],
    ],
  );
  assert.deepEqual(
    latches.map(({ matched }) => matched.bugs[0].scenario),
    ['binlog-purge-104615', 'fil-mutex-69276'],
  );
  assert.deepEqual(apart.map(({ event }) => event).sort(), ['idle', 'wait/synch/cond/sql/COND_manager']);
});

const sysbenchLog = (threads, tps, p95Ms) =>
  [
    `Running the test with following options:\nNumber of threads: ${threads}`,
    `SQL statistics:\n    transactions:  ${tps * 10} (${tps}.00 per sec.)`,
    `Latency (ms):\n    avg:  1.00\n    95th percentile:  ${p95Ms}.00`,
    `Threads fairness:\n    execution time (avg/stddev):   9.9/0.01\n`,
  ].join('\n');

test('logs of several thread counts are a table with the fitted law; the JSON has every run', () => {
  const logs = [
    sysbenchLog(1, 100, 5) + sysbenchLog(2, 190, 6),
    sysbenchLog(4, 340, 7) + sysbenchLog(4, 360, 9) + sysbenchLog(16, 800, 20),
  ];
  const { status, stdout } = importFiles(logs);
  assert.equal(status, 0);
  assert.match(stdout, /^ +4 +2 +350\.0 +8\.00$/m);
  assert.match(stdout, /Universal Scalability Law: sigma [\d.]+ \([\d.]+ to [\d.]+\), kappa /);
  const { runs, usl, latches } = JSON.parse(importFiles(logs, '--json', '-').stdout);
  assert.deepEqual(
    runs.map(({ file, threads, tps, p95_ms }) => [file, threads, tps, p95_ms]),
    [
      ['0.tsv', 1, 100, 5],
      ['0.tsv', 2, 190, 6],
      ['1.tsv', 4, 340, 7],
      ['1.tsv', 4, 360, 9],
      ['1.tsv', 16, 800, 20],
    ],
  );
  assert.equal(usl.ok, true);
  assert.deepEqual(latches, []);
  assert.match(importFiles([logs[0]]).stdout, /no fit: needs at least 4 thread counts, got 2/);
});

test('a broken text is refused with its file and line; nothing is printed', () => {
  const { status, stdout, stderr } = importFiles([snapshot(1).replace('\t400\t', '\t4.00\t')], '--json', '-');
  assert.deepEqual([status, stdout], [EXIT.badUsage, '']);
  assert.match(stderr, /0\.tsv: line 4: COUNT_STAR 4\.00; allowed: a whole number in digits/);
});

test('snapshots that do not belong together are refused with both places', () => {
  const { status, stderr } = importFiles([snapshot(1), snapshot(3).replace(`\t${27e12}\n`, '\t7\n')]);
  assert.equal(status, EXIT.badUsage);
  assert.match(stderr, /line 5 of 1\.tsv is SUM_TIMER_WAIT 7 .*line 5 of 0\.tsv/);
});

test('no file, or one that cannot be read, is a wrong call', () => {
  assert.match(importFiles([]).stderr, /import: got nothing; allowed: a FILE/);
  assert.match(importFiles([], join(folder, 'none')).stderr, /none.*a file that can be read/);
});

test('the main bug of a latch has its versions, and a verdict on the version of the texts', () => {
  assert.match(
    importFiles([snapshot(1)]).stdout,
    /the cause of fil-mutex-69276: MySQL 5\.6 to 5\.7; fixed in MySQL 8\.0, by shards\n/,
  );
  const text = `Server version: 5.7.44 MySQL Community Server (GPL)\n\n${snapshot(1)}`;
  assert.match(
    importFiles([text]).stdout,
    /Server: MySQL 5\.7\.44\n[^]*the cause of fil-mutex-69276: .*\. Your 5\.7\.44 has it; fixed in MySQL 8\.0/,
  );
});

const klockstat = [
  'Tracing mutex/sem lock events...  Hit Ctrl-C to end',
  '',
  '                               Caller  Avg Wait    Count   Max Wait   Total Wait',
  '                       mutex_lock+0x5     8 ms       500      20 ms         4 s',
  '                ext4_file_write+0x115',
  '',
  '                               Caller  Avg Hold    Count   Max Hold   Total Hold',
  '                       mutex_lock+0x5     2 ms       500       9 ms         1 s',
  '                ext4_file_write+0x115',
  '',
].join('\n');

test('with the seconds that a probe ran, holds give utilization and a limit', () => {
  const { stdout } = importFiles([klockstat], '--seconds', '10');
  assert.match(stdout, /ext4_file_write/);
  assert.match(stdout, /held for 2 ms on average, 10\.0.% of the time, at most 500 acquisitions\/s/);
  assert.match(importFiles([klockstat]).stdout, /does not say how long the probe ran/);
  const wrong = importFiles([klockstat], '--seconds', '0');
  assert.equal(wrong.status, EXIT.badUsage);
  assert.match(wrong.stderr, /--seconds 0.*a number of seconds up to/);
});

test('a measured file is named with its latches; other JSON is refused with its fault', () => {
  const measured = join(repository, 'scenarios/fil-mutex-69276/measured/mariadb-10.11.19-2-cores.json');
  const { stdout } = importFiles([], measured);
  assert.match(
    stdout,
    /measured file of Latchscope: fil-mutex-69276, mariadb-10\.11\nServer: MariaDB 10\.11\.19/,
  );
  assert.match(stdout, /Share of acquisitions in measured runs[^]* sql\/THD::LOCK_thd_data/);
  const { status, stderr } = importFiles(['{"version": 99}']);
  assert.equal(status, EXIT.badUsage);
  assert.match(stderr, /0\.tsv: version is 99; allowed: 1/);
});
