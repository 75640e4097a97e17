// Tests --your-latch, which compiles the source of a user's latch into the run spec.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { repository } from './processes.mjs';
import { filesOfTest, latchscope, resultOf } from './test-hosts/latchscope.mjs';

const file = filesOfTest('your-latch');

const MCS = join(repository, 'lab/latches/mcs.latch');
const NEVER_LETS_GO = file(
  'stuck.latch',
  'word a;\nvoid enter() { while (exchange(a, 1) != 0) pause(); }\nvoid exit() { }\n',
);
const SHORT = [
  '--scenario',
  'fil-mutex-69276',
  '--platform',
  'virtual',
  '--threads',
  '16',
  '--seconds',
  '0.01',
];
const YOURS = ['--set', 'tablespace_lookup=yours'];

test('run accepts it with options, and the result contains it with its source', () => {
  const { spec, invariants } = resultOf([...SHORT, ...YOURS, '--your-latch', MCS]);
  assert.equal(spec.design.tablespace_lookup, 'yours');
  assert.equal(spec.latch.source, readFileSync(MCS, 'utf8'));
  assert.deepEqual(
    invariants.filter(({ ok }) => !ok),
    [],
  );
});

test('run adds it to the spec of --spec; either of them can be standard input', () => {
  const spec = JSON.stringify({
    ...{ version: 1, scenario: 'fil-mutex-69276', platform: 'virtual', threads: 16, duration_s: 0.01 },
    design: { tablespace_lookup: 'yours' },
  });
  const ofFile = resultOf(['--spec', file('spec.json', spec), '--your-latch', MCS]);
  assert.deepEqual(resultOf(['--spec', '-', `--your-latch=${MCS}`], spec), ofFile);
  const fromInput = ['--spec', file('spec.json', spec), '--your-latch', '-'];
  assert.deepEqual(resultOf(fromInput, readFileSync(MCS, 'utf8')), ofFile);
});

test('diff, explain and what-if accept it too', () => {
  const diff = latchscope([
    'diff',
    ...SHORT,
    '--fork-at',
    '0.004:tablespace_lookup=yours',
    '--your-latch',
    MCS,
  ]);
  assert.equal(diff.status, 0, diff.stderr);
  const explain = latchscope([
    'explain',
    ...SHORT,
    ...YOURS,
    '--transaction',
    'slowest',
    '--your-latch',
    MCS,
  ]);
  assert.equal(explain.status, 0, explain.stderr);
  const scale = ['--latch', 'fil_system->mutex', '--scale', '50'];
  const whatIf = latchscope(['what-if', ...SHORT, ...YOURS, ...scale, '--your-latch', MCS]);
  assert.equal(whatIf.status, 0, whatIf.stderr);
});

test('a latch that is never released is stopped: exit code 1, and the invariant says why', () => {
  const longer = SHORT.with(-1, '0.1');
  const { status, stdout } = latchscope([
    ...['run', ...longer, ...YOURS, '--your-latch', NEVER_LETS_GO],
    ...['--json', '-'],
  ]);
  assert.equal(status, 1);
  const { invariants, totals } = JSON.parse(stdout);
  const [broken, ...more] = invariants.filter(({ ok }) => !ok);
  assert.match(broken.name, /the reader's latch of tablespace_lookup/);
  assert.notEqual(broken.detail, '');
  assert.deepEqual(more, []);
  assert.ok(totals.transactions > 0);
});

test('compile errors are shown as by lab compile, and a wrong argument is reported', () => {
  const wrong = file('wrong.latch', 'word a;\nvoid enter() { a = 1; }\nvoid exit() { }\n');
  const ofCompile = latchscope(['lab', 'compile', wrong]);
  const ofRun = latchscope(['run', ...SHORT, '--your-latch', wrong]);
  assert.deepEqual(ofRun, ofCompile);
  assert.equal(ofRun.status, 2);
  assert.match(ofRun.stderr, /wrong\.latch:2:16: /);
  const refused = (...args) => {
    const { status, stderr } = latchscope(['run', ...SHORT, ...args], '{}');
    assert.equal(status, 2);
    return stderr;
  };
  assert.match(refused('--your-latch'), /^--your-latch: got nothing; allowed: the file of a latch/);
  assert.match(
    refused('--your-latch', 'no-such.latch'),
    /^--your-latch: got "no-such\.latch"; allowed: a readable/,
  );
  assert.match(
    refused('--spec', '-', '--your-latch', '-'),
    /^--your-latch: got "-"; allowed: the file of a latch/,
  );
  assert.match(
    refused(...YOURS),
    /tablespace_lookup: got yours; allowed: yours with a latch \(the field latch\), or one of/,
  );
  const noJson = file('no.json', '{');
  assert.equal(refused('--spec', noJson, '--your-latch', MCS), refused('--spec', noJson));
});
