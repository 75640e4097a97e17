// Tests `latchscope run --rewind-to`, `--fork-at` and `latchscope diff` from the user's side:
// output and errors.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { buildCommandLine } from './builds.mjs';
import { contract } from './page-contract.mjs';
import { repository } from './processes.mjs';

const SMALL_RUN = ['--scenario', 'fil-mutex-69276', '--threads', '8', '--param', 'rows_per_table=2000'];
const FLIP = '0.0101:tablespace_lookup=atomic_word';
const RUN = ['run', '--platform', 'virtual', ...SMALL_RUN, '--seconds', '0.02'];
const DIFF = ['diff', ...SMALL_RUN, '--seconds', '0.02'];
const JSON_TO_OUTPUT = ['--json', '-'];

let threads, virtual, folder;

before(async () => {
  threads = join(await buildCommandLine('threads'), 'latchscope');
  virtual = join(await buildCommandLine('virtual'), 'latchscope');
  folder = mkdtempSync(join(tmpdir(), 'latchscope-going-back-'));
});
after(() => rmSync(folder, { recursive: true, force: true }));

function run(program, args) {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 1 << 28 });
  return { code: status, stdout, stderr };
}

function printed(...args) {
  const { code, stdout, stderr } = run(virtual, args);
  assert.deepEqual([code, stderr], [0, '']);
  return stdout;
}

const printedJson = (...args) => JSON.parse(printed(...args, ...JSON_TO_OUTPUT));

async function assertIsDeclared(schemaName, json) {
  const { [schemaName]: schema, schemaFaults } = await contract();
  assert.deepEqual(schemaFaults(schema, json), []);
}

test('a rewound run takes the same branch again', async () => {
  const back = printedJson(...RUN, '--rewind-to', '0.007');
  await assertIsDeclared('run_taken_back_schema', back);
  const uninterrupted = printedJson(...RUN);
  assert.deepEqual(back, {
    version: 1,
    rewind_to_s: 0.007,
    same: true,
    first: uninterrupted,
    again: uninterrupted,
  });
  assert.match(
    printed(...RUN, '--rewind-to', '0.007'),
    /^full run .*\nagain from 0\.007 s .*\n\nBoth results are identical, byte for byte\.\n$/m,
  );
});

test('with a change it equals the run with this change in its spec', async () => {
  const back = printedJson(...RUN, '--fork-at', FLIP);
  await assertIsDeclared('run_taken_back_schema', back);
  assert.equal(back.same, false);
  assert.deepEqual(back.first, printedJson(...RUN));
  assert.deepEqual(back.step, { at_s: 0.0101, knob: 'tablespace_lookup', variant: 'atomic_word' });
  assert.deepEqual(back.again, printedJson(...RUN, '--at', FLIP));
});

test('a what-if from a moment is a change like any other', async () => {
  const text = '0.0101:what_if.latch=fil_system->mutex;section_percent=20;line=still';
  const back = printedJson(...RUN, '--fork-at', text);
  await assertIsDeclared('run_taken_back_schema', back);
  const whatIf = { latches: [{ latch: 'fil_system->mutex', section_percent: 20, line: 'still' }] };
  assert.deepEqual(back.step, { at_s: 0.0101, what_if: whatIf });
  assert.deepEqual(back.again.spec.what_if, { ...whatIf, from_s: 0.0101 });
  const spec = join(folder, 'supposing.json');
  writeFileSync(spec, JSON.stringify(back.again.spec));
  assert.deepEqual(back.again, printedJson('run', '--spec', spec));
  assert.deepEqual(back.again, printedJson(...RUN, '--at', text));
  const diff = printedJson(...DIFF, '--fork-at', '0.0101:what_if.costs.pause_ps=50');
  assert.equal(diff.parts.length, 1);
  assert.deepEqual(diff.b.what_if.costs, { pause_ps: 50 });
});

test('diff reports the event at which two runs diverge, and the differences since', async () => {
  const diff = printedJson(...DIFF, '--fork-at', FLIP);
  await assertIsDeclared('course_diff_schema', diff);
  const [parts] = diff.parts;
  assert.equal(diff.parts.length, 1);
  assert.equal(parts.b.thread, 'coordinator');
  assert.equal(parts.b.kind, 'timer');
  assert.ok(Math.abs(parts.b.run_ns - 10.1e6) <= 1, String(parts.b.run_ns));
  assert.notEqual(parts.on_server.b.thread, 'coordinator');
  assert.ok(parts.on_server.b.run_ns > parts.b.run_ns);
  assert.ok(parts.from_s <= 0.0101);
  const { acquisitions } = diff.since.latches['fil_system->mutex'];
  assert.ok(acquisitions.b.mean < acquisitions.a.mean);
  assert.equal(acquisitions.ratio.mean, acquisitions.b.mean / acquisitions.a.mean);
  assert.match(
    printed(...DIFF, '--fork-at', FLIP),
    /^A and B diverge at event \d+; [^]*^ {2}B {2}at 10\.10000\d ms: coordinator wakes by its timer$/m,
  );
});

test('from event 1, diff counts the same as the run results', () => {
  const [a, b] = ['1', '2'].map((seed) => [...SMALL_RUN, '--seconds', '0.02', '--seed', seed]);
  const results = [a, b].map((args) => printedJson('run', '--platform', 'virtual', ...args));
  writeFileSync(join(folder, 'b.json'), JSON.stringify(results[1].spec));
  const { parts, since } = printedJson('diff', ...a, '--other', join(folder, 'b.json'));
  assert.equal(parts[0].from_s, 0);
  for (const [i, name] of ['a', 'b'].entries()) {
    assert.equal(since.tps[name].mean, results[i].totals.tps);
    assert.equal(since.p99_ms[name].mean, results[i].totals.latency_ms.p99);
  }
});

test('with several seeds diff reports means with intervals, and where each pair of runs diverges', async () => {
  const diff = printedJson(...DIFF, '--fork-at', FLIP, '--seeds', '3');
  await assertIsDeclared('course_diff_schema', diff);
  assert.equal(diff.parts.length, 3);
  const { mean, low, high } = diff.since.tps.ratio;
  assert.ok(low < mean && mean < high);
  assert.match(printed(...DIFF, '--fork-at', FLIP, '--seeds', '3'), /mean and 95 % interval of 3 seeds/);
});

test('two equal runs do not diverge', () => {
  const same = join(folder, 'same.json');
  writeFileSync(same, JSON.stringify(printedJson(...RUN).spec));
  const diff = printedJson('diff', '--spec', same, '--other', same);
  assert.deepEqual(diff.parts, [null]);
  assert.equal(diff.since.tps.ratio.mean, 1);
  assert.match(
    printed('diff', '--spec', same, '--other', same),
    /^A and B are identical to the last event\.\n$/m,
  );
});

test('impossible requests are refused with the field, the value and what is allowed', () => {
  const moment = 'a number from 0, before the end of the run: 0\\.02';
  const forkMoment = 'a number from 0\\.000000001, before the end of the run: 0\\.02';
  const missing = join(folder, 'missing.json');
  for (const [args, error, code = 2] of [
    [[...RUN, '--rewind-to', 'x'], `--rewind-to: got x; allowed: ${moment}`],
    [[...RUN, '--rewind-to', '-1'], `--rewind-to: got -1; allowed: ${moment}`],
    [[...RUN, '--rewind-to', '0.02'], `--rewind-to: got 0.02; allowed: ${moment}`],
    [[...RUN, '--rewind-to', '0.001', '--fork-at', FLIP], '--rewind-to: got 0.001; allowed: .* or --fork-at'],
    [[...RUN, '--events-max', '1000', '--rewind-to', '0.018'], '--rewind-to: got 0.018; .*which ended at 0'],
    [[...RUN, '--rewind-to', '0.018', '--json', join(folder, 'no/x')], '--json: ', 4],
    ...[RUN, DIFF].flatMap((command) => [
      [[...command, '--fork-at', 'x:one_table'], `--fork-at: got x; allowed: ${forkMoment}`],
      [[...command, '--fork-at', '0:one_table'], `--fork-at: got 0; allowed: ${forkMoment}`],
      [[...command, '--fork-at', '0.02:one_table'], `--fork-at: got 0.02; allowed: ${forkMoment}`],
      [[...command, '--fork-at', '0.0101:x'], '--fork-at: action: got x; allowed: one of grow_buffer_pool'],
      [[...command, '--fork-at', '0.0101:x=y'], '--fork-at: knob: got x; allowed: one of tablespace_lookup'],
      [
        [...command, '--fork-at', '0.0101:tablespace_lookup=y'],
        '--fork-at: variant: got y; allowed: one of global_mutex',
      ],
      [
        [...command, '--fork-at', '0.0101:what_if.latch=x;line=still'],
        '--fork-at: latch: got "x"; allowed: one of Fil_shard::m_mutex',
      ],
      [
        [...command, '--fork-at', '0.0101:what_if.costs.pause_ps=201'],
        '--fork-at: what_if.costs.pause_ps: got 201; allowed: an integer from 0 to 200',
      ],
    ]),
    [DIFF, 'diff: got neither; allowed: either --fork-at or --other'],
    [
      [...DIFF, '--fork-at', FLIP, '--other', missing],
      'diff: got both; allowed: either --fork-at or --other',
    ],
    [[...DIFF, '--other', missing], '--other: --spec: got .*missing.json.*; allowed: a file of at most'],
    [[...DIFF, '--fork-at', FLIP, '--seeds', '31'], '--seeds: got 31; allowed: an integer from 1 to 30'],
    [[...DIFF, '--fork-at', FLIP, '--json', join(folder, 'no/x')], '--json: ', 4],
  ]) {
    const refused = run(virtual, args);
    assert.match(refused.stderr, new RegExp(`^latchscope: ${error}`));
    assert.deepEqual([refused.code, refused.stdout], [code, ''], args.join(' '));
  }
  for (const args of [
    ['run', ...SMALL_RUN, '--seconds', '0.02', '--rewind-to', '0.001'],
    ['run', ...SMALL_RUN, '--seconds', '0.02', '--fork-at', FLIP],
    [...DIFF, '--fork-at', FLIP],
  ]) {
    const refused = run(threads, args);
    assert.match(
      refused.stderr,
      /^latchscope: --platform: got threads; allowed: virtual: runs on real threads /,
    );
    assert.deepEqual([refused.code, refused.stdout], [2, '']);
  }
});

test('the examples of docs/guide/back-in-time.md equal the output of the command line', () => {
  const document = readFileSync(join(repository, 'docs/guide/back-in-time.md'), 'utf8');
  const [, documented] = document.split(/<!-- (?:end of )?examples of going back -->/);
  const examples = [...documented.matchAll(/```\n\$ npm run -s latchscope -- (.*)\n([^]*?)```/g)];
  assert.equal(examples.length, 3);
  for (const [, command, lines] of examples) assert.equal(printed(...command.split(' ')), lines);
});
