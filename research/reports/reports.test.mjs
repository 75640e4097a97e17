import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { repository } from '../../tools/processes.mjs';
import { readServers, SCENARIOS } from '../../tools/scenario-manifests.mjs';
import { differences, readStored } from '../evidence/stored-results.mjs';
import { readFamilies } from '../reproduce/server-search.mjs';
import { figuresOf, isWithin, verdictOn } from './bands.mjs';
import { DOCUMENT, documentWith, ratioInWords } from './document.mjs';
import { compiledSource, cornersOf, faultsBeyondSchema, inputsOf, readReports, serversOf } from './read.mjs';

const { servers, reports } = await readReports();
const families = await readFamilies(SCENARIOS, await readServers());
const stored = readStored(SCENARIOS, 'reports');
const RERUN = 'npm run evidence -- reports --update';

for (const report of reports) {
  test(`${report.id}: the workload file has what the report names`, async () => {
    const { program, source } = await compiledSource(report);
    const { title, designs, parameters, latches, groups, knobs } = program;
    assert.equal(report.title, title);
    for (const side of [report.before, report.after]) {
      assert.ok(designs.some(({ id }) => id === (side.design ?? 'original')));
      for (const id of Object.keys(side.parameters ?? {}))
        assert.ok(
          parameters.some((parameter) => parameter.id === id),
          id,
        );
    }
    for (const id of report.corners)
      assert.ok(
        parameters.some((parameter) => parameter.id === id),
        id,
      );
    const atBounds = [...report.corners, ...Object.keys(report.before.parameters ?? {})];
    assert.deepEqual(
      parameters.map(({ id }) => id).filter((id) => !atBounds.includes(id)),
      [],
    );
    assert.ok(report.latch === undefined || latches.some(({ name }) => name === report.latch));
    const clients = groups.find(({ has_transaction: has }) => has);
    assert.equal(clients.threads, report.before.threads ?? report.threads);
    assert.ok(knobs.every(({ id, question }) => question !== id));
    const lines = source.trimEnd().split('\n');
    assert.match(lines[0], /^\/\/ /);
    assert.ok(lines.every((line) => line.length <= 90));
  });

  test(`${report.id}: the stored band is of this workload and of these conditions`, async () => {
    const { source } = await compiledSource(report);
    const { figures } = stored[report.id] ?? assert.fail(RERUN);
    assert.equal(figures.inputs, inputsOf(report, servers, source), RERUN);
    assert.equal(figures.verdict, verdictOn(report.reported.ratio, figures.band), RERUN);
    assert.equal(figures.within, isWithin(report.reported.ratio, figures.band), RERUN);
  });
}

test('no band is stored of an unknown report', () => {
  assert.deepEqual(Object.keys(stored), reports.map(({ id }) => id).sort());
});

test('the document shows the stored bands', () => {
  const text = readFileSync(join(repository, DOCUMENT), 'utf8');
  const figures = new Map(Object.entries(stored).map(([id, one]) => [id, one.figures]));
  assert.deepEqual(differences(DOCUMENT, text, documentWith(text, reports, figures)), [], RERUN);
});

test('a band with 1 in it predicts nothing, whatever the report says', () => {
  assert.equal(verdictOn({ low: 2, high: 2 }, [0.9, 3]), 'predicts_nothing');
  assert.equal(verdictOn(undefined, [1, 3]), 'predicts_nothing');
  assert.equal(verdictOn({ low: 2 }, [0.5, 0.9]), 'outside');
});

test('a report lies inside if its whole range does; without an upper end, if the band reaches it', () => {
  assert.equal(verdictOn({ low: 1.5, high: 1.6 }, [1.2, 1.7]), 'inside');
  assert.equal(verdictOn({ low: 1.5, high: 1.6 }, [1.55, 1.7]), 'outside');
  assert.equal(verdictOn({ low: 1.5, high: 1.6 }, [1.2, 1.55]), 'outside');
  assert.equal(verdictOn({ low: 2 }, [3, 9]), 'inside');
  assert.equal(verdictOn({ low: 2 }, [1.1, 1.9]), 'outside');
  assert.equal(verdictOn(undefined, [1.1, 1.9]), 'not_comparable');
});

test('a band that predicts nothing may still have the report in it', () => {
  assert.equal(isWithin({ low: 2, high: 2 }, [0.9, 3]), true);
  assert.equal(isWithin({ low: 4 }, [0.9, 3]), false);
  assert.equal(isWithin(undefined, [0.9, 3]), null);
});

test('ratios are named in words', () => {
  assert.equal(ratioInWords(undefined), '–');
  assert.equal(ratioInWords({ low: 2 }), 'more than 2');
  assert.equal(ratioInWords({ low: 2, high: 2 }), '2');
  assert.equal(ratioInWords({ low: 1.5, high: 1.6 }), '1.5 to 1.6');
});

const resultOf = (transactions, maxMs = 1) => ({
  counters: { transactions },
  totals: { seconds: 1, latency_ms: { max: maxMs } },
  drain: { seconds: 0.25 },
  spec: { threads: 4 },
  latches: [
    { latch: 'a', cost_ns: 1e9 },
    { latch: 'a', cost_ns: 1.5e9 },
    { latch: 'b', cost_ns: 9e9 },
  ],
});
const pairs = [
  { server: 'one', before: [resultOf(10), resultOf(30)], after: [resultOf(20), resultOf(60)] },
  { server: 'one', before: [resultOf(10)], after: [resultOf(45)] },
  { server: 'two', before: [resultOf(100, 8)], after: [resultOf(90, 2)] },
];

test('the band spans all servers and corners, and the share is that of the named latch', () => {
  const figures = figuresOf({ measure: 'throughput', latch: 'a', reported: { ratio: { low: 3 } } }, pairs);
  assert.deepEqual(figures, {
    band: [0.9, 4.5],
    verdict: 'predicts_nothing',
    within: true,
    latch_share: [0.5, 0.5],
    by_server: [
      { server: 'one', low: 2, high: 4.5 },
      { server: 'two', low: 0.9, high: 0.9 },
    ],
  });
});

test('the longest transaction is compared on demand; a run without transactions counts as one', () => {
  assert.deepEqual(figuresOf({ measure: 'longest', reported: {} }, [pairs[2]]).band, [0.25, 0.25]);
  const seeds = {
    server: 'one',
    before: [resultOf(9, 2), resultOf(9, 4)],
    after: [resultOf(9, 8), resultOf(9, 1)],
  };
  assert.deepEqual(figuresOf({ measure: 'longest', reported: {} }, [seeds]).band, [2, 2]);
  const none = { server: 'one', before: [resultOf(0)], after: [resultOf(500)] };
  assert.deepEqual(figuresOf({ measure: 'throughput', reported: {} }, [none]).band, [500, 500]);
});

test('a server has the family’s values, the chosen costs and the size of the report', () => {
  const family = {
    id: 'x',
    values: { work_percent: 100, threads_per_core: 2 },
    ranges: { pause_ps: [3, 1, 2] },
  };
  const sizes = [
    { sockets: 1, cores_per_socket: 8, threads_per_core: 1 },
    { sockets: 2, cores_per_socket: 4, threads_per_core: 1 },
  ];
  const listed = ['low', 'high', 'middle'].map((costs) => ({ family: 'x', costs }));
  const found = serversOf({ sizes }, listed, [family]);
  assert.deepEqual(
    found.map(({ values }) => [
      values.pause_ps,
      values.sockets,
      values.threads_per_core,
      values.work_percent,
    ]),
    [
      [1, 1, 1, 100],
      [3, 2, 1, 100],
      [2, 1, 1, 100],
    ],
  );
});

test('corners are every combination of the ends of the parameters', () => {
  const parameters = [
    { id: 'a', min: 1, max: 2 },
    { id: 'b', min: 3, max: 4 },
  ];
  assert.deepEqual(cornersOf({ corners: [] }, { parameters }), [{}]);
  assert.deepEqual(cornersOf({ corners: ['a', 'b'] }, { parameters }), [
    { a: 1, b: 3 },
    { a: 1, b: 4 },
    { a: 2, b: 3 },
    { a: 2, b: 4 },
  ]);
});

test('a change of the file or of the conditions changes the digest', () => {
  const [report] = reports;
  const inputs = inputsOf(report, servers, 'a');
  assert.notEqual(inputsOf(report, servers, 'b'), inputs);
  assert.notEqual(inputsOf({ ...report, seconds: 9 }, servers, 'a'), inputs);
  assert.notEqual(inputsOf(report, servers.slice(1), 'a'), inputs);
  assert.equal(inputsOf({ ...report, story: [] }, servers, 'a'), inputs);
});

test('the list and the folder must have the same reports', () => {
  const [report] = reports;
  const document = { servers: [{ family: 'none', costs: 'low' }], reports: [report, report] };
  const faults = faultsBeyondSchema(document, families, ['other']);
  assert.equal(faults.length, 5);
  assert.match(faults[0], /servers.family: got "none"/);
  assert.match(faults.at(-1), /reports: got "other"; allowed: each workload file/);
  const ratio = { low: 2, high: 1 };
  const reversed = { servers: [], reports: [{ ...report, reported: { ratio } }] };
  assert.match(faultsBeyondSchema(reversed, families, [report.id])[0], /at least low, 2/);
});
