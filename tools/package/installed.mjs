// Tests of the npm package as its users have it: installed from its tarball into an empty folder,
// without a compiler. `npm test -- --only package` makes the tarball and runs them.
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';

import { hostHeaders } from '../../web/contract/response-headers.mjs';
import { repository } from '../processes.mjs';
import { folder, installed, npmFolder, tarball } from './installation.mjs';

const MAJORS = [20, 22, 24];

/** Returns the Node.js programs to test: the running one, and others if npm can reach them. */
function nodes() {
  const own = { name: process.versions.node, program: process.execPath };
  const major = Number(process.versions.node.split('.', 1)[0]);
  const others = MAJORS.filter((one) => one !== major).map((one) => `node${one}`);
  const packages = others.map(
    (name) => `${name}@npm:node-${process.platform}-${process.arch}@${name.slice(4)}`,
  );
  const place = installed('nodes', packages, ['--prefer-offline']);
  if (place === null) return [own];
  return [own, ...others.map((name) => ({ name, program: join(place, 'node_modules', name, 'bin/node') }))];
}

const place = installed('user', [tarball], ['--offline']);
assert.ok(place !== null, 'the tarball cannot be installed offline');
const latchscope = join(place, 'node_modules/latchscope');

/** The environment of a user without a compiler: PATH has this Node.js and a shell. */
function environmentOf(name, program) {
  const bin = join(folder, `bin-${name}`);
  if (!existsSync(bin)) {
    mkdirSync(bin);
    symlinkSync(program, join(bin, 'node'));
    symlinkSync('/bin/sh', join(bin, 'sh'));
  }
  return { PATH: bin, HOME: folder };
}

/** Runs `npx latchscope` to its end. */
function npx(args, { name = process.versions.node, program = process.execPath, input = '' } = {}) {
  const command = [join(npmFolder, 'npx-cli.js'), '--offline', 'latchscope', ...args];
  const env = environmentOf(name, program);
  const { status, stdout, stderr } = spawnSync(program, command, {
    cwd: place,
    env,
    input,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  return { code: status, stdout, stderr };
}

const { scenarios } = JSON.parse(readFileSync(join(repository, 'scenarios/determinism.json'), 'utf8'));
const SCENARIO = 'xa-gtid-99638';

test('the package has no dependencies and is below 8 MB', () => {
  const manifest = JSON.parse(readFileSync(join(latchscope, 'package.json'), 'utf8'));
  for (const field of ['private', 'dependencies', 'devDependencies', 'scripts'])
    assert.equal(manifest[field], undefined, field);
  assert.deepEqual(
    readdirSync(join(place, 'node_modules')).filter((name) => !name.startsWith('.')),
    ['latchscope'],
  );
  assert.ok(readFileSync(tarball).length < 8e6);
});

for (const { name, program } of nodes()) {
  test(`Node.js ${name} computes the digest of scenarios/determinism.json`, () => {
    const { runs, figures } = scenarios[SCENARIO];
    const [[run, { spec }]] = Object.entries(runs);
    const { code, stdout, stderr } = npx(['run', '--spec', '-', '--json', '-'], {
      name,
      program,
      input: JSON.stringify(spec),
    });
    assert.equal(code, 0, stderr);
    assert.equal(createHash('sha256').update(stdout.trim()).digest('hex'), figures[run]);
  });

  test(`Node.js ${name} compiles, checks and judges latches`, () => {
    const at = (file) => join(latchscope, 'lab', file);
    assert.equal(npx(['lab', 'check', at('latches/mcs.latch')], { name, program }).code, 0);
    assert.equal(npx(['lab', 'check', at('latches/wrong/abba.latch')], { name, program }).code, 1);
    const judged = npx(['lab', 'judge', '02-test-and-set', at('exercises/02-test-and-set/model.latch')], {
      name,
      program,
    });
    assert.match(judged.stdout, /^3 of 3 checks hold\.$/m, judged.stderr);
  });
}

test('list names every scenario', () => {
  const { stdout } = npx(['list']);
  for (const id of Object.keys(scenarios)) assert.match(stdout, new RegExp(`^${id} `, 'm'));
});

test('--help lists the commands of the engine, and serve', () => {
  const { code, stdout } = npx(['--help']);
  assert.equal(code, 0);
  assert.match(stdout, /what-if/);
  assert.match(stdout, /latchscope \[serve\] \[--port N\]/);
});

test('check judges the example', () => {
  const example = join(repository, 'examples/checks/checks.json');
  const { code, stdout, stderr } = npx(['check', example, '--junit', join(folder, 'report.xml')]);
  assert.deepEqual([code, stderr], [0, '']);
  assert.match(stdout, /^2 of 2 checks hold\.$/m);
  assert.match(readFileSync(join(folder, 'report.xml'), 'utf8'), /tests="5" failures="0" errors="0"/);
});

test('bad usage ends with exit code 2 and names the fault', () => {
  const wrong = npx(['nonsense']);
  assert.equal(wrong.code, 2);
  assert.match(wrong.stderr, /^latchscope: subcommand: got nonsense; allowed: list, .*\n$/);
  const { code, stderr } = npx(['serve', '--port', '80000']);
  assert.deepEqual([code, stderr], [2, '--port: got "80000"; allowed: an integer from 0 to 65535\n']);
  assert.equal(npx(['lab', 'check', 'missing.latch']).code, 2);
});

const WORKLOAD = readFileSync(join(repository, 'tools/package/test-fixtures/two.workload'), 'utf8');
writeFileSync(join(place, 'two.workload'), WORKLOAD);

test('every command that runs a scenario takes a workload file', () => {
  const few = ['--threads', '4', '--seconds', '0.005'];
  const started = [
    ['describe', 'two.workload'],
    ['run', 'two.workload', ...few, '--param', 'cost=20us', '--ideal-machine', '--json', '-'],
    ['run', '--scenario=two.workload', ...few, '--set', 'lock=pair'],
    ['what-if', 'two.workload', ...few, '--latch', 'cache', '--scale', '50'],
    ['explain', 'two.workload', ...few],
    ['diff', 'two.workload', ...few, '--fork-at', '0.002:lock=pair'],
  ].map((args) => npx(args));
  for (const { code, stderr } of started) assert.equal(code, 0, stderr);
  const { spec, counters, latches } = JSON.parse(started[1].stdout);
  assert.deepEqual([spec.parameters.cost, spec.server], [20, 'ideal-machine']);
  assert.ok(counters.lookups_done > 0);
  assert.deepEqual([latches[0].latch, latches[0].site], ['cache', 'lookup']);
  writeFileSync(join(place, 'wrong.workload'), WORKLOAD.replace('work(cost)', 'work(4KiB)'));
  const wrong = npx(['explain', 'wrong.workload']);
  assert.equal(wrong.code, 2);
  assert.match(wrong.stderr, /wrong\.workload:7:64: work takes a duration, such as 4us; 4KiB is a size\n/);
  for (const option of ['FILE.workload', '--ideal-machine'])
    assert.ok(npx(['run', '--help']).stdout.includes(option));
});

test('a missing engine is one line, also for commands that compile latches first', () => {
  const wasm = join(latchscope, 'lib/latchscope-cli.wasm');
  renameSync(wasm, `${wasm}.away`);
  const model = join(latchscope, 'lab/exercises/02-test-and-set/model.latch');
  const commands = [
    ['list'],
    ['lab', 'check', model],
    ['lab', 'judge', '2', model],
    ['lab', 'bench', model, '--beside', 'mcs'],
  ];
  const outcomes = commands.map((args) => npx(args));
  renameSync(`${wasm}.away`, wasm);
  for (const { code, stderr } of outcomes) {
    assert.equal(code, 3);
    assert.match(stderr, /^latchscope: the engine could not be started: ENOENT: .*latchscope-cli\.wasm'\n$/);
  }
});

const PROGRAM = `
import { check, compare, explain, run, sweep, whatIf, type RunResult } from 'latchscope';
const scenario = 'fil-mutex-69276';
const parts: number[] = [];
const options = { onProgress: (done: number) => void parts.push(done) };
const result: RunResult = await run({ scenario, duration_s: 0.01 }, options);
const { transaction } = await explain({ scenario, duration_s: 0.01 }, { blame: true });
const change = { latches: [{ latch: 'fil_system->mutex', hand_over: 'free' as const }] };
const points = [{ name: 'unchanged' }, { name: 'free', whatIf: change }];
const report = await whatIf({ scenario, duration_s: 0.01 }, points, { seeds: 2 });
const comparison = await compare({ scenario, duration_s: 0.01, with: 'fixed', repeats: 3 });
const { curves } = await sweep({ scenario, duration_s: 0.01, counts: [1, 2], repeats: 1 });
const expect = { tps: { at_least: 1 } };
const { holds } = await check({ checks: [{ name: 'some', run: { scenario, duration_s: 0.01 }, expect }] });
const fault = await compare({ scenario, with: 'magic' }).catch((error: unknown) => String(error));
const refusal = await run({ scenario: 'nonsense', duration_s: 1 }).catch((error: unknown) => String(error));
const ended = await run({ scenario, duration_s: 3600 }, { signal: AbortSignal.timeout(500) }).catch(
  (error: unknown) => (error as Error).name,
);
console.log(JSON.stringify({
  transactions: result.totals.transactions, latency_ps: transaction.latency_ps, last: parts.at(-1),
  ratio: report.points[1]?.tps_ratio.mean, verdict: comparison.verdict, holds,
  counts: curves.map(({ points }) => points.map(({ threads }) => threads)), fault, refusal, ended,
}));
`;

/** Compiles and runs a TypeScript file of the user's. Returns what it prints. */
function outputOf(name) {
  writeFileSync(join(place, 'package.json'), '{ "type": "module" }');
  const tsc = join(repository, 'node_modules/typescript/bin/tsc');
  const types = join(repository, 'node_modules/@types');
  const options = ['--strict', '--module', 'nodenext', '--target', 'es2023', '--lib', 'es2023,dom'];
  const withNode = ['--typeRoots', types, '--types', 'node'];
  const compiled = spawnSync(process.execPath, [tsc, ...options, ...withNode, `${name}.ts`], {
    cwd: place,
    encoding: 'utf8',
  });
  assert.equal(compiled.stdout, '');
  return execFileSync(process.execPath, [`${name}.js`], { cwd: place, encoding: 'utf8' });
}

test('a TypeScript program imports every function', () => {
  writeFileSync(join(place, 'program.ts'), PROGRAM);
  const { transactions, latency_ps, last, ratio, refusal, ended, ...experiments } = JSON.parse(
    outputOf('program'),
  );
  assert.ok(transactions > 0 && latency_ps > 0);
  assert.equal(last, 1);
  assert.ok(ratio > 1.2, `${ratio}`);
  assert.match(experiments.fault, /^Error: with\.design: got magic; allowed: one of /);
  assert.deepEqual(
    [experiments.verdict, experiments.holds, experiments.counts],
    [
      'faster',
      true,
      [
        [1, 2],
        [1, 2],
      ],
    ],
  );
  assert.match(refusal, /^Error: scenario: got "nonsense"; allowed: one of fil-mutex-69276, /);
  assert.equal(ended, 'TimeoutError');
});

const PROGRAM_OF_WORKLOAD = `
import { readFileSync } from 'node:fs';
import { check, compare, explain, run, sweep, whatIf, type RunResult } from 'latchscope';
const workload = readFileSync('two.workload', 'utf8');
const spec = { workload, duration_s: 0.005 };
const bug = { scenario: 'fil-mutex-69276', duration_s: 0.002 };
const other = 'workload "y"; counter seen; latch m : innodb_mutex; thread t[2] { transaction { hold m { work(1us); count(seen); } } }';
const first = JSON.stringify(await run(bug));
const results: RunResult[] = await Promise.all(
  [spec, bug, { ...spec, workload: other }, { ...bug }].map((one) => run(one)));
const [ofFile, again, ofOther] = results;
const explained = JSON.stringify(await explain(spec, { blame: true }));
const comparison = await compare({ workload, duration_s: 0.01, with: 'fixed', repeats: 3 });
const { curves } = await sweep({ workload, duration_s: 0.01, counts: [1, 2], repeats: 1 });
const free = { latches: [{ latch: 'cache', hand_over: 'free' as const }] };
const report = await whatIf(spec, [{ name: 'unchanged' }, { name: 'free', whatIf: free }]);
const expect = { counters: { lookups_done: { at_least: 1 } } };
const { holds } = await check({ checks: [{ name: 'some', run: spec, expect }] });
const wrong = { workload: workload.replace('work(cost)', 'work(4KiB)'), duration_s: 1 };
const checks = [{ name: 'wrong', run: wrong, expect }];
const refusals = await Promise.all(
  [run(wrong), explain(wrong), compare(wrong), sweep(wrong), whatIf(wrong, []), check({ checks }),
    run({ ...spec, workload: 'two.workload' }), run({ ...bug, scenario: 'two.workload' }),
  ].map((one) => one.then(() => 'none', (error: unknown) => (error as Error).message.split('\\n', 1)[0])));
console.log(JSON.stringify({
  lookups: ofFile!.counters.lookups_done, explained: /"site":"lookup"/.test(explained), holds, refusals,
  verdict: comparison.verdict, counts: curves.map(({ points }) => points.length),
  ratio: report.points[1]?.tps_ratio.mean, isSameBug: JSON.stringify(again) === first,
  leaked: /cache|lookup/.test(JSON.stringify(ofOther)) || /lookup_|lookups_done|seen/.test(first),
}));
`;

test('a TypeScript program gives every function the text of a workload file', () => {
  writeFileSync(join(place, 'workload-program.ts'), PROGRAM_OF_WORKLOAD);
  const { refusals, ratio, lookups, ...rest } = JSON.parse(outputOf('workload-program'));
  assert.ok(lookups > 0);
  assert.ok(ratio > 1);
  const expected = { explained: true, holds: true, verdict: 'faster', counts: [2, 2] };
  assert.deepEqual(rest, { ...expected, isSameBug: true, leaked: false });
  const inLine = 'workload:7:64: work takes a duration, such as 4us; 4KiB is a size';
  assert.deepEqual(refusals, [
    ...Array.from({ length: 5 }, () => inLine),
    `checks[0].run.${inLine}`,
    'workload: got "two.workload"; allowed: the text of a workload file, not its name',
    'scenario: got "two.workload"; allowed: the id of a bug; workload takes the text of a file',
  ]);
});

test('an occupied port is one line', async () => {
  const occupied = createServer().listen(0, '127.0.0.1');
  await once(occupied, 'listening');
  const { port } = occupied.address();
  const child = spawn(process.execPath, [join(latchscope, 'lib/bin.mjs'), '--port', `${port}`]);
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (part) => (errors += part));
  const [code] = await once(child, 'close');
  occupied.close();
  assert.deepEqual(
    [code, errors],
    [2, `--port: got ${port}, which another program uses; allowed: a free port\n`],
  );
});

test('serve answers with the page and its headers', async () => {
  const child = spawn(process.execPath, [join(latchscope, 'lib/bin.mjs'), 'serve', '--port', '0'], {
    env: environmentOf(process.versions.node, process.execPath),
  });
  const [line] = await once(child.stdout.setEncoding('utf8'), 'data');
  const [, url] = /^Latchscope is at (\S+)/.exec(line);
  const response = await fetch(url);
  assert.match(await response.text(), /<title>Latchscope/);
  for (const [name, value] of Object.entries(hostHeaders())) assert.equal(response.headers.get(name), value);
  child.kill('SIGINT');
  assert.deepEqual(await once(child, 'close'), [130, null]);
});
