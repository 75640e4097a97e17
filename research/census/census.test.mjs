// Tests the comparison of counts from real servers with counts from the engine.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { repository } from '../../tools/processes.mjs';
import { agrees } from '../../web/contract/real-servers/measured-server.mjs';
import { ScenarioError } from '../../tools/scenario-files.mjs';
import { readManifests } from '../../tools/scenario-manifests.mjs';
import { comparedRuns, compareAll, judge, renewed } from './compare.mjs';
import { labelFaults, names } from './labels.mjs';
import { readCensus } from './read.mjs';

const scenarios = join(repository, 'scenarios');
const manifests = await readManifests(scenarios);
const example = manifests.find(({ id }) => id === 'fil-mutex-69276');

test('every census can be read', async () => {
  for (const manifest of manifests) await readCensus(scenarios, manifest);
});

test('counts agree within 2 %, or if both are close to zero', () => {
  const counts = (measured, engine) => ({ measured, engine });
  assert.ok(agrees(counts(6.11, 6)));
  assert.ok(!agrees(counts(6.13, 6)));
  assert.ok(!agrees(counts(5.87, 6)));
  assert.ok(agrees(counts(0, 0)));
  assert.ok(agrees(counts(0.02, -0.005)));
  assert.ok(!agrees(counts(0.04, 0)));
  assert.ok(!agrees(counts(1, -1)));
  assert.ok(agrees({ ...counts(6.6, 6), tolerance: 0.1 }));
  assert.ok(!agrees({ ...counts(6.7, 6), tolerance: 0.1 }));
});

const row = (figure, measured, engine, server = 'mysql-5.6') => ({
  experiment: 'page_read',
  figure,
  server,
  version: '5.6.24',
  clients: 1,
  measured,
  engine,
});
const exception = (figure, engine, server, servers = ['mysql-5.6']) => ({
  experiment: 'page_read',
  figure,
  servers,
  because: 'the engine leaves something out',
  engine,
  server,
});

test('a count that differs must be listed, and stay within its bounds', () => {
  const rows = [row('a', 6, 6), row('b', 4.3, 3), row('c', 2, 1), row('b', 4.3, 3, 'mysql-9')];
  const judged = judge(rows, [exception('b', [3, 3], [4.2, 4.3]), exception('c', [1, 1], [2.1, 2.2])]);
  assert.deepEqual(judged.agreeing, [rows[0]]);
  assert.deepEqual(judged.listed, [rows[1], rows[2]]);
  assert.deepEqual(judged.differing, [rows[3]]);
  assert.deepEqual(
    judged.outside.map((one) => one.row),
    [rows[2]],
  );
  assert.deepEqual(judged.idle, []);
});

test('an exception whose counts all agree is reported; one with some differing counts is not', () => {
  const rows = [row('a', 6, 6), row('b', 4, 4), row('b', 5, 4)];
  const exceptions = [
    exception('a', [6, 6], [6, 6]),
    exception('b', [4, 4], [4, 5]),
    exception('z', [1, 1], [2, 2]),
  ];
  const { idle, listed, agreeing } = judge(rows, exceptions);
  assert.deepEqual(idle, [exceptions[0], exceptions[2]]);
  assert.equal(listed.length, 2);
  assert.equal(agreeing.length, 1);
});

test('an update rewrites the bounds and keeps the reasons; a new exception needs a reason', () => {
  const rows = [
    row('a', 6, 6),
    row('b', 4, 3),
    row('b', 4.4, 3.1),
    row('c', 2, 1),
    row('c', 2, 1, 'mysql-9'),
  ];
  const fresh = renewed(rows, [exception('a', [5, 5], [6, 6]), exception('b', [1, 1], [4, 4])]);
  assert.deepEqual(fresh, [
    exception('b', [3, 3.1], [4, 4.4]),
    { ...exception('c', [1, 1], [2, 2]), because: '' },
    { ...exception('c', [1, 1], [2, 2], ['mysql-9']), because: '' },
  ]);
});

const counted = (name, experiment, clients) => ({
  server: { name, version: '1.2.3' },
  experiments: [{ experiment, runs: [{ clients, counts: { a: 6, b: 1 } }] }],
});

test('a server is compared with the engine run that models it, with the same number of clients; a latch that the engine lacks counts 0', () => {
  const documents = [
    counted('mysql-5.6', 'page_read', 4),
    counted('mysql-8.0', 'page_read', 1),
    counted('mariadb-10.6', 'page_read', 1),
  ];
  const census = { variants: { 'mysql-5.6': {} }, not_compared: { 'mysql-8.0': 'it was never looked at' } };
  const engine = [
    { experiment: 'page_read', server: 'mysql-5.6', clients: 1, counts: { a: 9 } },
    { experiment: 'page_read', server: 'mysql-5.6', clients: 4, counts: { a: 6 } },
  ];
  const { rows, left_out, unknown } = compareAll(documents, census, engine);
  assert.deepEqual(
    rows.map(({ figure, measured, engine: here }) => [figure, measured, here]),
    [
      ['a', 6, 6],
      ['b', 1, 0],
    ],
  );
  assert.deepEqual(left_out, ['mysql-8.0']);
  assert.deepEqual(unknown, ['mariadb-10.6']);
});

test('figures that depend on the machine are not compared', () => {
  const census = { variants: { 'mysql-5.6': {} }, not_compared: {} };
  const runs = comparedRuns([counted('mysql-5.6', 'page_read_cpu', 1)], census);
  assert.deepEqual(runs, []);
});

async function problemsAfter(change) {
  const folder = mkdtempSync(join(tmpdir(), 'latchscope-census-'));
  try {
    mkdirSync(join(folder, example.id));
    const census = {
      schema_version: 1,
      variants: { 'mysql-5.6': { tablespace_lookup: 'global_mutex' } },
      not_compared: { 'mysql-8.0': 'it was never looked at' },
      exceptions: [exception('b', [3, 3], [4.2, 4.3])],
    };
    const text = change(census);
    writeFileSync(join(folder, example.id, 'census.json'), text ?? JSON.stringify(census));
    await readCensus(folder, example);
    return '';
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error;
    return error.message;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const bad = [
  ['text that is not JSON', () => '{', /is not JSON/],
  [
    'no reason',
    (c) => void (c.exceptions[0].because = ''),
    /exceptions\[0\]\.because: got ""; allowed: a reason of 20 to 2,000 characters/,
  ],
  [
    'reversed bounds',
    (c) => void (c.exceptions[0].engine = [3, 2]),
    /engine: got \[3,2\]; allowed: the smaller/,
  ],
  [
    'an exception of a server without a variant',
    (c) => void (c.exceptions[0].servers = ['mysql-8.0']),
    /exceptions\[0\]\.servers: got "mysql-8.0"; allowed: one of mysql-5.6/,
  ],
  [
    'an exception of another bug',
    (c) => void (c.exceptions[0].experiment = 'goals'),
    /exceptions\[0\]\.experiment: got "goals"; allowed: one of page_read/,
  ],
  [
    'the same exception twice',
    (c) => void c.exceptions.push(c.exceptions[0]),
    /exceptions: got "page_read, b, mysql-5.6"; allowed: each figure only once per server/,
  ],
  [
    'a variant that no knob has',
    (c) => void (c.variants['mysql-5.6'].tablespace_lookup = 'luck'),
    /variants\.mysql-5\.6\.tablespace_lookup: got "luck"; allowed: one of global_mutex/,
  ],
  [
    'a knob without a value',
    (c) => void (c.variants['mysql-5.6'] = {}),
    /variants\.mysql-5\.6\.tablespace_lookup: got nothing; allowed: one of global_mutex/,
  ],
  [
    'a server with a variant that is not compared',
    (c) => void (c.not_compared['mysql-5.6'] = 'it was never looked at'),
    /not_compared: got "mysql-5.6"; allowed: only servers without/,
  ],
];

for (const [name, change, expected] of bad) {
  test(`a census with ${name} is refused with file, field, value and what is allowed`, async () => {
    const message = await problemsAfter(change);
    assert.match(message, /^scenarios\/fil-mutex-69276\/census\.json: /);
    assert.match(message, expected);
  });
}

test('a label names a server by product and version, including in a range or a list', () => {
  const named = (origin, server) => assert.ok(names(origin, server), `${origin}: ${server}`);
  named('MySQL 5.6 (the bug; counted in 5.6.24)', 'mysql-5.6');
  named('MySQL 8.0 to 9.7', 'mysql-9');
  named('MySQL 5.6 to 9.x (the bug)', 'mysql-9');
  named('MySQL 5.6, 5.7; MariaDB 10.11', 'mariadb-10.11');
  const notNamed = (origin, server) => assert.ok(!names(origin, server), `${origin}: ${server}`);
  notNamed('ours', 'mysql-9');
  notNamed('MySQL 8.0.23', 'mysql-9');
  notNamed('MariaDB 10.11', 'mariadb-10.5');
  notNamed('MariaDB 10.11', 'mysql-5.6');
});

test('swapped labels of two variants contradict the census', () => {
  const [knob, ...others] = structuredClone(example.knobs);
  const variant = (id) => knob.variants.find((one) => one.id === id);
  const design = { tablespace_lookup: 'single_lookup_pin', buffer_pool_mutex: 'one_mutex' };
  assert.deepEqual(labelFaults('mariadb-10.11', design, [knob, ...others]), []);
  const [pin, word] = [variant('single_lookup_pin'), variant('atomic_word')];
  [pin.origin, word.origin] = [word.origin, pin.origin];
  const [line] = labelFaults('mariadb-10.11', design, [knob, ...others]);
  assert.match(
    line,
    /variants\.mariadb-10\.11\.tablespace_lookup: got "single_lookup_pin"; allowed: .*atomic_word/,
  );
  assert.equal(labelFaults('mariadb-11.4', design, [knob, ...others]).length, 1);
});
