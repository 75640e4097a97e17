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
