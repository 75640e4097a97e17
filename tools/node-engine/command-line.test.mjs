// Compares the command line in Node.js with the native one: exit code, standard output, standard
// error and JSON are the same, byte for byte.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  cpSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { buildCommandLine, buildNodeCommandLine } from '../builds.mjs';
import { compileFile } from '../lab-command.mjs';
import { repository } from '../processes.mjs';
import { ENDLESS, INTERVAL_LINE, LONG_TRANSACTIONS, MANY_INTERVAL_LINES, SMALL_RUN } from '../small-run.mjs';
import { startProgramOfTest } from '../started-program.mjs';

const RESULT = 'result.json';

let native, inNode, folder;

before(async () => {
  native = [join(await buildCommandLine('virtual'), 'latchscope')];
  const engine = await buildNodeCommandLine();
  inNode = [
    'env',
    `LATCHSCOPE_ENGINE=${engine}`,
    process.execPath,
    join(repository, 'tools/node-engine/latchscope.mjs'),
  ];
  folder = mkdtempSync(join(tmpdir(), 'latchscope-node-engine-'));
  const read = async (path) => ({ fileText: readFileSync(path, 'utf8') });
  for (const [file, source] of [
    ['sound.json', 'lab/latches/mcs.latch'],
    ['wrong.json', 'lab/latches/wrong/futex-wake-before-unlock.latch'],
  ]) {
    const { program } = await compileFile(join(repository, source), read, 'latch');
    writeFileSync(join(folder, file), JSON.stringify(program));
  }
});
after(() => rmSync(folder, { recursive: true, force: true }));

const start = (program, args, options) => startProgramOfTest(program, args, { cwd: folder, ...options });

async function outcome(program, args, { input } = {}) {
  rmSync(join(folder, RESULT), { force: true });
  const { child, ended } = start(program, args, {
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  child.stdin?.end(input);
  const end = await ended;
  const written = readdirSync(folder).filter((name) => name.startsWith(RESULT));
  return { ...end, files: written.map((name) => [name, readFileSync(join(folder, name), 'utf8')]) };
}

const ONE_CHANGE = '0.002:tablespace_lookup=atomic_word';
const spec = { version: 1, scenario: 'xa-gtid-99638', duration_s: 0.002 };

/** Arguments, the exit code, and the standard input if there is one. */
const COMMANDS = [
  [['--help'], 0],
  [['run', '--help'], 0],
  [['lab', 'check', '--help'], 0],
  [['list'], 0],
  [['latches'], 0],
  [['latches', '--json'], 0],
  [['describe', 'undo-read-117533'], 0],
  [['describe', 'xa-gtid-99638', '--json'], 0],
  [['run', ...SMALL_RUN, '--seconds', '0.01', '--report-interval', '0.002'], 0],
  [['run', ...SMALL_RUN, '--seconds', '0.01', '--json', '-'], 0],
  [['run', ...SMALL_RUN, '--seconds', '0.01', '--json', RESULT], 0],
  [['run', '--spec', '-', '--json', '-'], 0, JSON.stringify(spec)],
  [['run', ...SMALL_RUN, '--seconds', '0.004', '--rewind-to', '0.002'], 0],
  [['run', ...SMALL_RUN, '--seconds', '0.004', '--fork-at', ONE_CHANGE, '--json', RESULT], 0],
  [['diff', ...SMALL_RUN, '--seconds', '0.004', '--fork-at', ONE_CHANGE], 0],
  [['diff', ...SMALL_RUN, '--seconds', '0.004', '--fork-at', ONE_CHANGE, '--seeds', '2', '--json', '-'], 0],
  [['what-if', ...SMALL_RUN, '--seconds', '0.002', '--latch', 'fil_system->mutex', '--scale', '0,100'], 0],
  [
    ['what-if', ...SMALL_RUN, '--seconds', '0.002', '--profile', '--seeds', '2', '--top', '2', '--json', '-'],
    0,
  ],
  [['explain', ...SMALL_RUN, '--seconds', '0.01', '--blame'], 0],
  [['explain', ...SMALL_RUN, '--seconds', '0.01', '--json', RESULT], 0],
  [['lab', 'check', 'sound.json'], 0],
  [['lab', 'check', 'wrong.json', '--json', RESULT], 1],
  [['lab', 'bench', 'sound.json', '--threads', '1,2'], 0],
  [['lab', 'bench', '-', '--threads', '2', '--json', '-'], 2, '{}'],
  // Errors
  [[], 2],
  [['nonsense'], 2],
  [['describe', 'nonsense'], 2],
  [['run'], 2],
  [['run', '--scenario', '\x1b[31m\u202e'], 2],
  [['run', '--seconds='], 2],
  [['run', ...SMALL_RUN, '--platform', 'threads'], 2],
  [['run', '--spec', 'missing.json'], 2],
  [['run', '--spec', '.'], 2],
  [['run', '--spec', '-'], 2],
  [['run', '--spec', '-'], 2, '{'],
  [['run', '--spec', '-'], 2, ' '.repeat(2 ** 20 + 1)],
  [['run', ...SMALL_RUN, '--json', '.'], 4],
  [['run', ...SMALL_RUN, '--json', 'missing/result.json'], 4],
  [['run', ...SMALL_RUN, '--json', 'sound.json/below'], 4],
  [['diff', ...SMALL_RUN], 2],
  [['what-if', ...SMALL_RUN], 2],
  [['explain', ...SMALL_RUN, '--transaction', 'nonsense'], 2],
  [['lab', 'check', 'missing.json'], 2],
];

for (const [args, code, input] of COMMANDS) {
  const name = [...args, ...(input === undefined ? [] : [`< ${input.slice(0, 20)}`])].join(' ');
  test(`the same bytes as natively: ${JSON.stringify(name)}`, async () => {
    const expected = await outcome(native, args, { input });
    assert.equal(expected.code, code, expected.stderr);
    assert.deepEqual(await outcome(inNode, args, { input }), expected);
  });
}

test('the engine can lie beside its launcher, in any folder', async () => {
  const elsewhere = join(folder, 'a folder \u00e9');
  cpSync(join(repository, 'tools/node-engine'), elsewhere, { recursive: true });
  for (const file of ['latchscope-cli.mjs', 'latchscope-cli.wasm'])
    cpSync(join(await buildNodeCommandLine(), file), join(elsewhere, file));
  const beside = ['env', '-u', 'LATCHSCOPE_ENGINE', process.execPath, join(elsewhere, 'latchscope.mjs')];
  assert.deepEqual(await outcome(beside, ['list']), await outcome(native, ['list']));
});

test('a missing engine is named and counts as failed', async () => {
  const without = ['env', 'LATCHSCOPE_ENGINE=missing', ...inNode.slice(2)];
  const { code, stdout, stderr } = await outcome(without, ['list']);
  assert.deepEqual([code, stdout], [3, '']);
  assert.match(stderr, /^latchscope: the engine could not be started: ENOENT: .*latchscope-cli.wasm'\n$/);
});

test('real threads are refused with the way to get them', async () => {
  const { stderr } = await outcome(inNode, ['run', ...SMALL_RUN, '--platform', 'threads']);
  assert.match(
    stderr,
    /^latchscope: platform: got "threads"; allowed: virtual\nlatchscope: real threads need/,
  );
});

test('output that cannot be written ends a command with exit code 4', async () => {
  for (const args of [['list'], ['--help'], ['run', ...SMALL_RUN, '--seconds', '0.01']]) {
    const ends = [];
    for (const program of [native, inNode]) {
      const full = openSync('/dev/full', 'w');
      ends.push(await start(program, args, { stdio: ['ignore', full, 'pipe'] }).ended);
      closeSync(full);
    }
    assert.equal(ends[0].code, 4);
    assert.deepEqual(ends[1], ends[0]);
  }
});

test('a broken pipe ends a run with exit code 4', async () => {
  const ends = [];
  for (const program of [native, inNode]) {
    const { child, ended } = start(['sh', '-c', 'read go; exec "$0" "$@"', ...program], ENDLESS, {
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    child.stdout.destroy();
    await once(child.stdout, 'close');
    child.stdin.end('go\n');
    ends.push(await ended);
  }
  assert.equal(ends[0].code, 4);
  assert.deepEqual(ends[1], ends[0]);
});

test('a result that is too large for the file system leaves an earlier one', async () => {
  writeFileSync(join(folder, RESULT), 'earlier');
  const limited = ['sh', '-c', 'ulimit -f 1; exec "$0" "$@"', ...inNode];
  const { code, stderr } = await start(limited, ['run', ...SMALL_RUN, '--seconds', '0.05', '--json', RESULT])
    .ended;
  assert.equal(code, 4);
  assert.match(stderr, /^latchscope: --json: got .*\(File too large\)/);
  assert.equal(readFileSync(join(folder, RESULT), 'utf8'), 'earlier');
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.startsWith(RESULT)),
    [RESULT],
  );
});

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  test(`${signal} ends a run early, with report, invariants and result`, async () => {
    const { child, ended, seen } = start(inNode, [...ENDLESS, '--json', RESULT]);
    await seen('stdout', INTERVAL_LINE);
    child.kill(signal);
    const { code, stdout, stderr } = await ended;
    assert.equal(code, 0, stderr);
    assert.match(stderr, new RegExp(`^latchscope: ${signal}: waiting`));
    assert.match(stdout, /total number of events: +[1-9][^]*\nInvariants:\n {4}ok /);
    assert.equal(JSON.parse(readFileSync(join(folder, RESULT), 'utf8')).stopped_early, signal);
  });
}

test('a second signal ends a run immediately, by that signal, and an earlier result stays', async () => {
  writeFileSync(join(folder, RESULT), 'earlier');
  const { child, ended, seen } = start(inNode, [...LONG_TRANSACTIONS, '--json', RESULT]);
  await seen('stdout', MANY_INTERVAL_LINES);
  child.kill('SIGINT');
  await seen('stderr', /a second signal ends the/);
  const again = setInterval(() => child.kill('SIGTERM'), 50);
  const { signal } = await ended;
  clearInterval(again);
  assert.equal(signal, 'SIGTERM');
  assert.equal(readFileSync(join(folder, RESULT), 'utf8'), 'earlier');
});

test('a signal ends a command without a run at once, and the workers with it', async () => {
  const endless = ['what-if', ...SMALL_RUN, '--seconds', '3600', '--latch', 'fil_system->mutex'];
  const { child, ended } = start(inNode, endless);
  const again = setInterval(() => child.kill('SIGINT'), 500); // It may come before the handlers.
  const { signal, stdout } = await ended;
  clearInterval(again);
  assert.deepEqual([signal, stdout], ['SIGINT', '']);
});

test('a named pipe is read and written, and waited for', async () => {
  const named = join(folder, 'pipe');
  assert.equal(spawnSync('mkfifo', [named]).status, 0);
  const reading = start(inNode, ['run', '--spec', named, '--json', '-']).ended;
  spawn('sh', ['-c', 'sleep 1; printf %s "$0" >"$1"', JSON.stringify(spec), named]);
  const expected = await outcome(native, ['run', '--spec', '-', '--json', '-'], {
    input: JSON.stringify(spec),
  });
  assert.equal((await reading).stdout, expected.stdout);
  const reader = start(['cat'], [named]);
  const written = start(inNode, ['run', ...SMALL_RUN, '--seconds', '0.01', '--json', named]).ended;
  assert.equal((await written).code, 0);
  assert.equal(JSON.parse((await reader.ended).stdout).version, 1);
});

test('the program ends like after SIGTERM when the process of --parent has ended', async () => {
  const { code, signal, stderr } = await start(inNode, ['--parent', '1', ...ENDLESS]).ended;
  if (signal === null) assert.match(stderr, /^latchscope: SIGTERM: waiting/);
  assert.ok(code === 0 || signal === 'SIGTERM');
});
