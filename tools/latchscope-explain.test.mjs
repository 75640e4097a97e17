// Tests `latchscope explain` from the user's side: its output, its errors, and that its parts add
// up.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { buildCommandLine } from './builds.mjs';
import { repository } from './processes.mjs';

const XA = ['explain', '--scenario', 'xa-gtid-99638', '--threads', '24', '--seconds', '0.15'];
const JSON_TO_OUTPUT = ['--json', '-'];

let threads, virtual, folder;

before(async () => {
  threads = join(await buildCommandLine('threads'), 'latchscope');
  virtual = join(await buildCommandLine('virtual'), 'latchscope');
  folder = mkdtempSync(join(tmpdir(), 'latchscope-explain-'));
});
after(() => rmSync(folder, { recursive: true, force: true }));

function run(program, args) {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 1 << 28 });
  return { code: status, stdout, stderr };
}

function explained(...args) {
  const { code, stdout, stderr } = run(virtual, [...XA, ...JSON_TO_OUTPUT, ...args]);
  assert.deepEqual([code, stderr], [0, '']);
  return JSON.parse(stdout);
}

/**
 * Asserts that consecutive parts leave no gap, and that the parts of each chain cover their part.
 */
function assertCover(parts, fromPs, ps) {
  let reached = fromPs;
  for (const part of parts) {
    assert.equal(part.from_ps, reached);
    assert.ok(part.ps > 0);
    if (part.chain?.length > 0) assertCover(part.chain, part.from_ps, part.ps);
    else if (part.chain) assert.ok(part.cut, 'an empty chain says why');
    reached += part.ps;
  }
  assert.equal(reached, fromPs + ps);
}

test('the parts of the slowest transaction add up to its latency, and so does the blame', () => {
  const { transaction, blame, transactions, rank } = explained('--transaction', 'slowest', '--blame');
  assert.equal(rank, 1);
  assertCover(transaction.parts, 0, transaction.latency_ps);
  const follower = transaction.parts.find(({ behind }) => behind === 'leader');
  assert.match(follower.holder.thread, /^client \d+$/);
  assert.equal(follower.latch, 'COND_done');
  assert.equal(blame.transactions, Math.ceil(transactions / 100));
  for (const rows of [blame.by_state, blame.by_end])
    assert.equal(
      rows.reduce((sum, { ps }) => sum + ps, 0),
      blame.latency_ps,
    );
  assert.ok(blame.by_end.some(({ function: name }) => name === 'Clone_Sys::wait'));
});

test('a transaction is selected by rank, by percentile, or by client and run time', () => {
  const first = explained('--transaction', 'nth:1').transaction;
  const { slot, began_run_ps, latency_ps } = first;
  const middleS = (began_run_ps + latency_ps / 2) / 1e12;
  assert.deepEqual(explained('--transaction', `thread:${slot}@${middleS.toFixed(9)}`).transaction, first);
  const p99 = explained('--transaction', 'p99');
  assert.ok(p99.rank <= Math.floor(p99.transactions / 100) + 1);
});

test('a transaction in progress at the end of the run is explained up to there, and has no rank', () => {
  const { transaction, rank } = explained('--transaction', 'thread:0@0.15');
  assert.equal(transaction.is_over, false);
  assert.equal(transaction.began_run_ps + transaction.latency_ps, 0.15e12);
  assertCover(transaction.parts, 0, transaction.latency_ps);
  assert.equal(rank, undefined);
  const { transaction: oldest } = explained('--transaction', 'oldest');
  assert.ok(!oldest.is_over && oldest.began_run_ps <= transaction.began_run_ps);
});

test('the printed table has the same times as the JSON', () => {
  const file = join(folder, 'explained.json');
  const { code, stdout } = run(virtual, [...XA, '--json', file, '--blame']);
  assert.equal(code, 0);
  const { transaction } = JSON.parse(readFileSync(file, 'utf8'));
  assert.match(stdout, new RegExp(`^Transaction ${transaction.ordinal} of ${transaction.thread} took `));
  assert.match(stdout, /led by /);
  assert.match(stdout, /^Slowest 1 % of transactions: /m);
});

test('requests that cannot be explained are refused with the field, the value and what is allowed', () => {
  const refusals = [
    [
      ['--transaction', 'fastest'],
      /^latchscope: --transaction: got fastest; allowed: slowest, p99, oldest, nth:N or /,
    ],
    [
      ['--transaction', 'nth:999999'],
      /^latchscope: --transaction: got nth:999999; allowed: nth:1 to nth:\d+\n$/,
    ],
    [['--transaction', 'thread:99@0.1'], /^latchscope: --transaction: got thread:99@0.1; allowed: a client /],
    [['--seconds', '0.000001'], /allowed: none: no transaction ended during the run\n$/],
    [['--threads', '0'], /^latchscope: threads: got 0; allowed: /],
    [['--transaction', ''], /got ""; allowed: a value/],
    [['--json', join(folder, 'missing/x.json')], /--json/, 4],
  ];
  for (const [args, message, code = 2] of refusals) {
    const refused = run(virtual, [...XA, ...args].filter(lastOfEach));
    assert.match(refused.stderr, message);
    assert.deepEqual([refused.code, refused.stdout], [code, '']);
  }
  const onThreads = run(threads, XA);
  assert.equal(onThreads.code, 2);
  assert.match(onThreads.stderr, /^latchscope: --platform: got threads; allowed: virtual: /);
});

/** Drops an option, with its value, if it occurs again later. */
function lastOfEach(argument, at, all) {
  const isOverridden = (option) => option?.startsWith('--') && all.lastIndexOf(option) > all.indexOf(option);
  const first = (index) => isOverridden(all[index]) && all.indexOf(all[index]) === index;
  return !first(at) && !first(at - 1);
}

test('the examples of docs/guide/explain.md equal the output of the command line', () => {
  const document = readFileSync(join(repository, 'docs/guide/explain.md'), 'utf8');
  const example =
    /<!-- example of explain -->\s*```\n\$ npm run -s latchscope -- (.*)\n([^]*?)```\s*<!-- end of/g;
  const examples = [...document.matchAll(example)];
  assert.equal(examples.length, 2);
  for (const [, command, lines] of examples)
    assert.deepEqual(run(virtual, command.split(' ')), { code: 0, stdout: lines, stderr: '' });
});

test('npm run latchscope defaults to the virtual platform for explain', () => {
  const launcher = [join(repository, 'tools/cli.mjs'), 'latchscope'];
  const { code, stdout } = run(process.execPath, [...launcher, ...XA, ...JSON_TO_OUTPUT]);
  assert.equal(code, 0);
  assert.deepEqual(JSON.parse(stdout), explained());
  const refused = run(process.execPath, [...launcher, ...XA, '--platform', 'threads']);
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /--platform: got threads; allowed: virtual/);
});
