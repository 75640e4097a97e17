// Tests workload files on the command line: they are compiled into the run spec.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

import { repository } from './processes.mjs';
import { filesOfTest, latchscope, resultOf } from './test-hosts/latchscope.mjs';
import { workloadFileIn } from './workload-file.mjs';

const file = filesOfTest('workload');

const TEMPLATES = join(repository, 'web/features/workload/templates');
const SOURCE = `workload "two designs of one lock";
unit "requests";
param cost = 10us from 1us to 10ms "CPU time in the section";
knob lock "Which lock?" { mutex = innodb_mutex "today"; pair = semaphore(2) "tomorrow"; }
latch cache : lock;
thread client[8] { transaction { in "lookup" hold cache { work(cost); } } }
`;
const FILE = file('two.workload', SOURCE);
const SHORT = ['--platform', 'virtual', '--seconds', '0.005'];

function refusalOf(args) {
  const { status, stderr } = latchscope(args);
  assert.equal(status, 2, stderr);
  return stderr;
}

test('run takes the file first or as --scenario, and its result contains the source', () => {
  const options = [...SHORT, '--threads', '3', '--set', 'lock=pair'];
  const result = resultOf([FILE, ...options]);
  const { spec, counters, totals, latches, invariants } = result;
  assert.equal(spec.scenario, 'workload');
  assert.equal(spec.workload.source, SOURCE);
  assert.deepEqual([spec.threads, spec.design], [3, { lock: 'pair' }]);
  assert.deepEqual([latches[0].latch, latches[0].site], ['cache', 'lookup']);
  // Clients end their transactions after the run's time.
  const drained = counters.transactions - totals.transactions;
  assert.ok(totals.transactions > 0 && drained >= 0 && drained <= 3, `${drained} more`);
  assert.equal(spec.server, 'server-2025');
  assert.deepEqual(
    invariants.filter(({ ok }) => !ok),
    [],
  );
  assert.deepEqual(resultOf(['--scenario', FILE, ...options]), result);
  assert.deepEqual(resultOf([`--scenario=${FILE}`, ...options]), result);
});

test('a value with a unit is converted to the unit of its parameter', () => {
  const { spec } = resultOf([FILE, ...SHORT, '--param', 'cost=1.5ms']);
  assert.deepEqual(spec.parameters, { cost: 1500 });
  assert.deepEqual(resultOf([FILE, ...SHORT, '--param=cost=20']).spec.parameters, { cost: 20 });
  const refused = refusalOf(['run', FILE, ...SHORT, '--param', 'cost=1500ns']);
  assert.match(
    refused,
    /--param cost: got "1500ns"; allowed: a whole number of us: 1us to 10000us, in ps, ns/,
  );
  assert.match(refusalOf(['run', FILE, '--param', 'cost=1s']), /parameters.cost: got 1000000; allowed:/);
  assert.match(refusalOf(['run', FILE, '--param', 'price=1us']), /parameters.price/);
});

test('the ideal machine gives each thread its time to the picosecond', () => {
  const constant = 'workload "x"; thread one[1] { transaction { work(10us); } }';
  const { totals, spec } = resultOf([file('one.workload', constant), ...SHORT, '--ideal-machine']);
  assert.equal(spec.server, 'ideal-machine');
  assert.equal(totals.tps, 100_000);
  const refused = refusalOf(['run', FILE, ...SHORT, '--ideal-machine', '--server', 'xeon-2020']);
  assert.match(refused, /--server: got "xeon-2020"; allowed: nothing beside --ideal-machine/);
});

test('explain, what-if and diff take it too', () => {
  const few = ['--threads', '4', '--seconds', '0.005'];
  const runs = [
    ['explain', FILE, ...few],
    ['what-if', FILE, ...few, '--latch', 'cache', '--scale', '50'],
    ['diff', FILE, ...few, '--fork-at', '0.002:lock=pair'],
  ];
  for (const args of runs) {
    const { status, stderr } = latchscope(args);
    assert.equal(status, 0, `${args[0]}: ${stderr}`);
  }
});

test('--spec gives the other fields; options override them', () => {
  const spec = JSON.stringify({ version: 1, platform: 'virtual', threads: 5, duration_s: 0.005, seed: 3 });
  const { spec: ran } = resultOf([FILE, '--spec', '-', '--seed', '4'], spec);
  assert.deepEqual([ran.threads, ran.seed, ran.scenario], [5, 4, 'workload']);
});

test('check takes it as the scenario of a file of checks', () => {
  const checks = {
    version: 1,
    checks: [
      {
        name: 'two at once are faster',
        compare: { scenario: 'two.workload', with: 'fixed', threads: 4, duration_s: 0.01 },
        seeds: 2,
        expect: { tps_ratio: { at_least: 1.5 } },
      },
    ],
  };
  const { status, stdout, stderr } = latchscope(['check', file('checks.json', JSON.stringify(checks))]);
  assert.equal(status, 0, stdout + stderr);
});

test('--help lists what the engine does not read itself', () => {
  const { status, stdout } = latchscope(['run', '--help']);
  assert.equal(status, 0);
  for (const option of ['FILE.workload', '--your-latch', '--ideal-machine'])
    assert.ok(stdout.includes(option));
});

test('each error of the source is reported with its place', () => {
  const wrong = file('wrong.workload', 'workload "x";\nlatch m : mutex;\nthread t[1] { }\n');
  const refused = refusalOf(['run', wrong]);
  assert.match(refused, /wrong\.workload:2:11: [^\n]+\nlatch m : mutex;\n {10}\^{5}\n/);
  assert.match(refused, /wrong\.workload:3:\d+: a workload needs clients/);
  assert.match(refusalOf(['run', join(dirname(FILE), 'none.workload')]), /a readable text file/);
});

test('arguments that are no workload file are refused', () => {
  assert.throws(() => workloadFileIn(['run', 'a.json']), /run: got "a.json"; allowed: options, or a file/);
  assert.throws(() => workloadFileIn(['run', 'a.workload', '--scenario', 'b']), /nothing beside the file a/);
  assert.equal(workloadFileIn(['run', '--scenario', 'fil-mutex-69276']), undefined);
  assert.deepEqual(workloadFileIn(['run', 'a.workload', '--seed', '1']), {
    file: 'a.workload',
    rest: ['run', '--seed', '1'],
  });
});

test('the engine runs what the compiler writes for each template, in each design', () => {
  const templates = readdirSync(TEMPLATES).filter((name) => name.endsWith('.workload'));
  assert.ok(templates.length >= 6);
  for (const name of templates) {
    const path = join(TEMPLATES, name);
    const designs = ['original', ...(/\bknob\b/.test(readFileSync(path, 'utf8')) ? ['fixed'] : [])];
    for (const design of designs) {
      const result = resultOf([path, ...SHORT, '--threads', '8', '--design', design]);
      assert.equal(result.stopped_early, undefined, `${name}, ${design}`);
      assert.ok(result.counters.transactions > 0, `${name}, ${design}`);
      const broken = result.invariants.filter(({ ok }) => !ok);
      assert.deepEqual(broken, [], `${name}, ${design}`);
    }
  }
});
