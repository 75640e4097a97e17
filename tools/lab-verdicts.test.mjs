// Runs the checker on every latch of lab/latches. It must accept each right latch and find the
// declared fault of each wrong one. Each right latch runs under 2,000 random schedules; a long run
// uses a million.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, test } from 'node:test';

import { buildCommandLine } from './builds.mjs';
import { labLanguage } from './lab-language.mjs';
import { readLatches, sourceOfLatch } from './lab-latches.mjs';
import { repository } from './processes.mjs';

const SCHEDULES = process.env.LATCHSCOPE_LONG ? '1000000' : '2000';

const latches = await readLatches();
const thatAre = (wanted) => latches.filter(({ verdict }) => verdict === wanted);

let engine;
let compile;

before(async () => {
  engine = join(await buildCommandLine('virtual'), 'latchscope');
  ({ compile } = await labLanguage());
});

const docs = readFileSync(join(repository, 'docs/guide/latch-lab.md'), 'utf8');

function lab(source, ...args) {
  const { program, errors } = compile(source);
  assert.equal(errors, undefined);
  const { status, stdout, stderr } = spawnSync(engine, ['lab', ...args, '--json', '-'], {
    encoding: 'utf8',
    input: JSON.stringify(program),
    maxBuffer: 64 * 1024 * 1024,
  });
  assert.ok(status === 0 || status === 1, stderr);
  return { status, ...JSON.parse(stdout) };
}

const check = (source, ...args) => lab(source, 'check', '-', ...args);

for (const { latch } of thatAre('right')) {
  test(`${latch} is accepted`, () => {
    const { status, fault, starvation } = check(sourceOfLatch(latch), '--schedules', SCHEDULES);
    assert.deepEqual([status, fault ?? null, starvation ?? null], [0, null, null]);
  });
}

test('starvation is decided for all latches except the three named in docs/reference/latch-checker.md', () => {
  const isUndecided = ({ latch }) =>
    check(sourceOfLatch(latch), '--schedules', '0', '--memory', 'sc').checked.some(({ sentence }) =>
      sentence.includes('undecided'),
    );
  assert.deepEqual(
    thatAre('right')
      .filter(isUndecided)
      .map(({ latch }) => latch),
    ['anderson', 'bakery', 'rw-sharded-ticket'],
  );
});

for (const { latch } of thatAre('starving')) {
  test(`${latch} can starve, and is otherwise right`, () => {
    const source = sourceOfLatch(latch);
    const { status, verdict, fault, starvation } = check(source);
    assert.deepEqual(
      [status, verdict, fault ?? null, starvation.kind],
      [0, 'can_starve', null, 'starvation'],
    );
    assert.equal(check(source, '--schedules', '0', '--require-fair').status, 1);
    const without = check(source, '--schedules', '0', '--no-starvation');
    assert.deepEqual([without.status, without.starvation ?? null], [0, null]);
  });
}

for (const { latch, fault: kind } of thatAre('wrong')) {
  test(`${latch}: ${kind} is found, and its schedule reproduces it`, () => {
    const source = sourceOfLatch(latch);
    const { status, fault } = check(source);
    assert.deepEqual([status, fault.kind], [1, kind]);
    const again = ['--threads', `${fault.threads}`, '--memory', fault.memory, '--replay', fault.schedule];
    if (fault.roles) again.push('--roles', fault.roles);
    again.push('--rounds', `${fault.rounds}`);
    assert.equal(check(source, ...again).kind, kind);
  });
}

test('the engine accepts compiled programs of unusual sources', () => {
  for (const source of [
    'void enter() { }\nvoid exit() { }',
    'void exit() { return; }\nvoid enter() { while (0) { } if (1) return; else return; }',
    'word a;\nvoid enter() { while (1) { if (load(a)) continue; break; } }\nvoid exit() { { } ; }',
    'word a; void enter() { } void exit() { } void client() { uint x = 1; enter(); store(a, x); exit(); } void at_end() { check(load(a)); }',
  ])
    lab(source, 'check', '-', '--schedules', '10');
});

test('latches that fail only with store buffers pass without them', () => {
  for (const { latch } of latches.filter(({ needs_store_buffers }) => needs_store_buffers)) {
    const source = sourceOfLatch(latch);
    assert.equal(check(source, '--memory', 'sc').status, 0, latch);
    assert.equal(check(source, '--memory', 'tso').fault.memory, 'tso', latch);
  }
});

test('a contest detects a latch that lets two threads in and one that hangs; a right one is sound for any thread count', () => {
  const contests = (latch) =>
    lab(sourceOfLatch(latch), 'bench', '-', '--threads', '2,8', '--hold', '500', '--duration', '500');
  const verdicts = (report) => report.contests.map(({ verdict }) => verdict);
  assert.deepEqual(verdicts(contests('wrong/tas-without-loop')), ['broken', 'broken']);
  assert.deepEqual(verdicts(contests('wrong/futex-never-wakes')), ['hangs', 'hangs']);
  const mcs = contests('mcs');
  assert.deepEqual([mcs.status, verdicts(mcs)], [0, ['sound', 'sound']]);
});

test('a hand-off does not end before it starts, even with several holders', () => {
  const source = sourceOfLatch('rw-sharded-ticket');
  const args = ['--threads', '2,4', '--shared', '100', '--duration', '300'];
  for (const { hand_over_ns, duration_us } of lab(source, 'bench', '-', ...args).contests)
    assert.ok(hand_over_ns <= duration_us * 1000, `${hand_over_ns} ns`);
});

test('the tables of docs/guide/latch-lab.md equal those of contests', () => {
  for (const [name, threads] of [
    ['mcs', '1,4,16,48'],
    ['ticket', '4,16,48'],
    ['futex-drepper', '4,16,48'],
  ]) {
    const { program } = compile(sourceOfLatch(name));
    const args = ['lab', 'bench', '-', '--threads', threads];
    const { stdout } = spawnSync(engine, args, { encoding: 'utf8', input: JSON.stringify(program) });
    const [head, table] = stdout.split('\n\n');
    assert.ok(docs.includes(head), head);
    assert.ok(docs.includes(table), table);
  }
});

test('the documented grading script works', () => {
  const folder = mkdtempSync(join(tmpdir(), 'latchscope-grading-'));
  try {
    mkdirSync(join(folder, 'solutions'));
    for (const name of ['mcs', 'wrong/test-then-set'])
      cpSync(
        join(repository, `lab/latches/${name}.latch`),
        join(folder, 'solutions', `${name.split('/').at(-1)}.latch`),
      );
    const script = /```sh\n(for latch[^`]*)```/.exec(docs)[1];
    const { stdout } = spawnSync(
      'sh',
      ['-c', script.replaceAll('/tmp/', `${folder}/`).replace('solutions/', `${folder}/solutions/`)],
      { cwd: repository, encoding: 'utf8' },
    );
    const lines = stdout.trim().split('\n');
    assert.match(lines[0], /mcs\.latch: right, \d+ ns$/);
    assert.match(lines[1], /test-then-set\.latch: wrong: Thread 1 and thread 2 hold the latch/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
