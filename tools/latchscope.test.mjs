// Tests the command line from the user's side: exit codes, signals and output streams.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
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

import { buildCommandLine } from './builds.mjs';
import { runNativelyAsSysbench } from './native-engine.mjs';
import { contract } from './page-contract.mjs';
import { repository } from './processes.mjs';
import { ENDLESS, INTERVAL_LINE, LONG_TRANSACTIONS, MANY_INTERVAL_LINES, SMALL_RUN } from './small-run.mjs';
import { startProgramOfTest } from './started-program.mjs';

const LAUNCHER = [process.execPath, join(repository, 'tools/cli.mjs'), 'latchscope'];
const SECOND_ENDS_NOW = /a second signal ends the/;

let threads, virtual, folder, result;

before(async () => {
  threads = [join(await buildCommandLine('threads'), 'latchscope')];
  virtual = [join(await buildCommandLine('virtual'), 'latchscope')];
  folder = mkdtempSync(join(tmpdir(), 'latchscope-command-line-'));
  result = join(folder, 'result.json');
});
after(() => rmSync(folder, { recursive: true, force: true }));

const start = (program, args, options) => startProgramOfTest(program, args, { cwd: folder, ...options });
const run = (program, args, options) => start(program, args, options).ended;
/** Runs a program with some standard streams closed, as with ">&-". */
const runClosed = (program, args, closed, options) =>
  run(['sh', '-c', `exec "$0" "$@" ${closed}`, ...program], args, options);
const whole = (path) => JSON.parse(readFileSync(path, 'utf8'));

const COMMANDS = [
  ['list'],
  ['describe', 'xa-gtid-99638'],
  ['--help'],
  ['run', '--help'],
  ['run', ...SMALL_RUN, '--seconds', '0.01'],
];

test('output that cannot be written ends every command with exit code 4 and a message', async () => {
  for (const args of COMMANDS) {
    const full = openSync('/dev/full', 'w');
    const onFull = await run(threads, args, { stdio: ['ignore', full, 'pipe'] });
    closeSync(full);
    assert.deepEqual(
      [onFull.code, onFull.stderr],
      [4, 'latchscope: cannot write to standard output: No space left on device\n'],
    );
    const onClosed = await runClosed(threads, args, '>&-');
    assert.deepEqual(
      [onClosed.code, onClosed.stderr],
      [4, 'latchscope: cannot write to standard output: Bad file descriptor\n'],
    );
    assert.equal((await runClosed(threads, args, '>&- 2>&-')).code, 4);
  }
});

test('a broken pipe ends a run with exit code 4 and a message', async () => {
  const { child, ended } = start(['sh', '-c', 'read go; exec "$0" "$@"', ...threads], ENDLESS, {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdout.destroy();
  await once(child.stdout, 'close');
  child.stdin.end('go\n');
  const { code, stderr } = await ended;
  assert.equal(code, 4);
  assert.match(stderr, /latchscope: cannot write to standard output: Broken pipe\n$/);
});

test('a run whose result goes to a file continues when nothing can be printed', async () => {
  const { code } = await runClosed(
    threads,
    ['run', ...SMALL_RUN, '--seconds', '0.05', '--json', result],
    '>&- <&-',
  );
  assert.equal(code, 4);
  assert.deepEqual(
    whole(result).invariants.filter(({ ok }) => !ok),
    [],
  );
  assert.equal(whole(result).stopped_early, undefined);
});

test('a result of real threads has exactly the declared fields', async () => {
  const { run_result_schema, optionalFieldsMissing } = await contract();
  await run(threads, [
    'run',
    ...SMALL_RUN,
    '--seconds',
    '0.05',
    '--report-interval',
    '0.02',
    '--json',
    result,
  ]);
  assert.deepEqual(run_result_schema.parse(whole(result)), whole(result));
  assert.deepEqual(optionalFieldsMissing([whole(result)]), [
    ...['cpu.stalled', 'cpu.ready', 'engine_cpu.stalled', 'engine_cpu.ready'],
    ...['latches[].line_stall_ns', 'latches[].queue_ns', 'latches[].cost_ns'],
    ...['stack_samples', 'model', 'latches_stopped', 'stopped_early'],
  ]);
});

test('a result file that cannot be written is refused before the run, and an earlier one stays', async () => {
  writeFileSync(result, 'earlier');
  const refused = await run(threads, [...ENDLESS, '--json', join(result, 'below')]);
  assert.equal(refused.code, 4);
  assert.match(
    refused.stderr,
    /^latchscope: --json: got .*below \(Not a directory\); allowed: a writable file/,
  );
  const tooLarge = spawnSync(
    'sh',
    [
      '-c',
      'ulimit -f 1; exec "$0" "$@"',
      ...threads,
      'run',
      ...SMALL_RUN,
      '--seconds',
      '0.05',
      '--json',
      result,
    ],
    { encoding: 'utf8' },
  );
  assert.equal(tooLarge.status, 4, tooLarge.stderr);
  assert.match(tooLarge.stderr, /latchscope: --json: got .*\(File too large\)/);
  assert.equal(readFileSync(result, 'utf8'), 'earlier');
  assert.deepEqual(readdirSync(folder), ['result.json']);
});

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  for (const platform of ['threads', 'virtual']) {
    test(`${signal} ends a run early, with report, invariants and result: ${platform}`, async () => {
      const program = platform === 'threads' ? threads : virtual;
      const { child, ended, seen } = start(program, [...ENDLESS, '--json', result]);
      await seen('stdout', INTERVAL_LINE);
      child.kill(signal);
      const { code, stdout, stderr } = await ended;
      assert.equal(code, 0, stderr);
      assert.match(stdout, /total number of events: +[1-9][^]*\nInvariants:\n {4}ok /);
      assert.equal(whole(result).stopped_early, signal);
    });
  }
}

test('a second signal ends a run immediately, by that signal, and an earlier result stays', async () => {
  writeFileSync(result, 'earlier');
  const { child, ended, seen } = start(virtual, [...LONG_TRANSACTIONS, '--json', result]);
  await seen('stdout', MANY_INTERVAL_LINES);
  child.kill('SIGINT');
  await seen('stderr', SECOND_ENDS_NOW);
  const again = setInterval(() => child.kill('SIGTERM'), 50);
  const { signal } = await ended;
  clearInterval(again);
  assert.equal(signal, 'SIGTERM');
  assert.equal(readFileSync(result, 'utf8'), 'earlier');
  assert.deepEqual(readdirSync(folder), ['result.json']);
});

test('a signal that was ignored when the program started stays ignored', async () => {
  const { child, ended, seen } = start(['nohup', ...threads], ENDLESS);
  await seen('stdout', INTERVAL_LINE);
  child.kill('SIGHUP');
  child.kill('SIGTERM');
  assert.match((await ended).stderr, /^latchscope: SIGTERM: /m);
});

/**
 * Returns the only child of a process: the launcher for npm, the engine for tools/cli.mjs.
 */
function childOf(parent) {
  const [pid] = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').trim().split(' ');
  return Number(pid);
}

async function untilGone(pid) {
  while (existsSync(`/proc/${pid}`)) await new Promise(setImmediate);
}

test('a signal to tools/cli.mjs alone ends the run, whose exit code it passes on', async () => {
  const { child, ended, seen } = start(LAUNCHER, [...ENDLESS, '--json', result]);
  await seen('stdout', INTERVAL_LINE);
  const engine = childOf(child.pid);
  child.kill('SIGTERM');
  assert.equal((await ended).code, 0);
  assert.equal(whole(result).stopped_early, 'SIGTERM');
  await untilGone(engine);
});

test('the engine ends when tools/cli.mjs is killed', async () => {
  const { child, ended, seen } = start(LAUNCHER, ENDLESS);
  await seen('stdout', INTERVAL_LINE);
  const engine = childOf(child.pid);
  child.kill('SIGKILL');
  assert.equal((await ended).signal, 'SIGKILL');
  await untilGone(engine);
});

for (const signal of ['SIGHUP', 'SIGKILL']) {
  test(`the run ends early when npm alone is ended by ${signal}`, async () => {
    const { child, ended, seen } = start(
      ['npm'],
      ['run', '-s', 'latchscope', '--', ...ENDLESS, '--json', result],
      {
        cwd: repository,
      },
    );
    await seen('stdout', INTERVAL_LINE);
    const launcher = childOf(child.pid);
    const engine = childOf(launcher);
    child.kill(signal);
    const { signal: endedBy, stdout } = await ended;
    assert.equal(endedBy, signal);
    assert.match(stdout, /\nInvariants:\n {4}ok /);
    await untilGone(launcher);
    await untilGone(engine);
    assert.equal(whole(result).stopped_early, 'SIGHUP');
  });
}

test('a program that cannot be loaded does not count as a broken invariant', async () => {
  const codes = [];
  for (let files = 20; files <= 36; files += 4) {
    const limited = ['sh', '-c', `ulimit -n ${files}; exec "$0" "$@"`, ...LAUNCHER];
    const { code, stderr } = await run(limited, ['list']);
    // With fewer descriptors than Node itself needs, Node ends before it loads a program.
    if (/^Failed: EMFILE: too many open files/m.test(stderr)) codes.push(code);
  }
  assert.deepEqual([...new Set(codes)], [3]);
});

test('a full standard error changes nothing', async () => {
  const full = openSync('/dev/full', 'w');
  const small = ['run', ...SMALL_RUN, '--seconds', '0.01'];
  assert.equal((await run(LAUNCHER, small, { stdio: ['ignore', 'pipe', full] })).code, 0);
  assert.equal((await run(LAUNCHER, ['run'], { stdio: ['ignore', 'pipe', full] })).code, 2);
  closeSync(full);
});

test('an engine killed by a signal counts as failed, never as a broken invariant', async () => {
  const { child, ended, seen } = start(LAUNCHER, ENDLESS);
  await seen('stdout', INTERVAL_LINE);
  process.kill(childOf(child.pid), 'SIGSEGV');
  const { code, stderr } = await ended;
  assert.equal(code, 3);
  assert.match(stderr, /^latchscope: the engine was ended by SIGSEGV$/m);
});

test('a run spec is read from a pipe, and its platform is found', async () => {
  const spec = JSON.stringify({
    version: 1,
    scenario: 'fil-mutex-69276',
    platform: 'virtual',
    events_max: 1000,
    duration_s: 1,
  });
  const named = join(folder, 'pipe');
  assert.equal(spawnSync('mkfifo', [named]).status, 0);
  const { ended } = start(LAUNCHER, ['run', '--spec', named, '--json', '-']);
  spawn('sh', ['-c', 'printf %s "$0" >"$1"', spec, named]);
  const { code, stdout, stderr } = await ended;
  assert.equal(code, 0, stderr);
  assert.equal(JSON.parse(stdout).engine.platform, 'virtual');
  const { child, ended: fromInput } = start(LAUNCHER, ['run', '--spec=-', '--json', '-'], { stdio: 'pipe' });
  child.stdin.end(spec);
  assert.equal(JSON.parse((await fromInput).stdout).engine.platform, 'virtual');
  rmSync(named);
});

test('standard input is passed on, even if it is not a run spec', async () => {
  for (const [input, error] of [
    ['null', /run spec: got null/],
    ['{', /run spec: got \{/],
    ['', /--spec: got - \(empty\)/],
  ]) {
    const { child, ended } = start(LAUNCHER, ['run', '--spec', '-'], { stdio: 'pipe' });
    child.stdin.end(input);
    const { code, stderr } = await ended;
    assert.equal(code, 2);
    assert.match(stderr, error);
  }
});

test('a key press that keeps arriving until the end does not change the exit code', async () => {
  const { child, ended, seen } = start(LAUNCHER, ENDLESS);
  await seen('stdout', INTERVAL_LINE);
  const again = setInterval(() => child.kill('SIGINT'), 1);
  const { code, signal, stdout } = await ended;
  clearInterval(again);
  assert.deepEqual({ code, signal }, { code: 0, signal: null });
  assert.match(stdout, /\nInvariants:\r?\n {4}ok /);
});

const hasScript = spawnSync('script', ['--version']).status === 0;

test(
  'Ctrl-C in a terminal ends a run early through npm, too',
  { skip: !hasScript && 'no script(1)' },
  async () => {
    // Without `exec`, the shell also receives the key press and could end on it, hiding the run's
    // exit code.
    const command = ['exec npm run -s latchscope --', ...ENDLESS, '--json', result].join(' ');
    const { child, ended, seen } = start(['script'], ['-qec', command, '/dev/null'], {
      stdio: ['pipe', 'pipe', 'pipe'],
      cwd: repository,
      env: { ...process.env, SHELL: '/bin/sh' },
    });
    await seen('stdout', INTERVAL_LINE);
    child.stdin.write('\x03');
    const { code, stdout } = await ended;
    assert.equal(code, 0, stdout);
    assert.match(stdout, /\nInvariants:\r?\n {4}ok /);
    assert.equal(whole(result).stopped_early, 'SIGINT');
  },
);

test('options without a value are refused by name', async () => {
  for (const name of [
    '--scenario',
    '--json',
    '--threads',
    '--seconds',
    '--spec',
    '--set',
    '--param',
    '--at',
    '--seed',
  ]) {
    for (const args of [[name, ''], [`${name}=`]]) {
      const { code, stderr } = await run(threads, [
        'run',
        '--scenario',
        'xa-gtid-99638',
        ...args,
        '--seconds',
        '0.01',
      ]);
      assert.equal(code, 2);
      assert.match(stderr, new RegExp(`^(latchscope: )?${name}: `));
    }
  }
});

test('a wrong subcommand or option is reported on one line', async () => {
  const known = 'list, describe, latches, run, diff, what-if, explain, check, import, lab';
  for (const [args, error] of [
    [[], `subcommand: got ""; allowed: ${known}`],
    [['nonsense'], `subcommand: got nonsense; allowed: ${known}`],
    [['lab', 'nonsense'], 'subcommand: got nonsense; allowed: check, bench'],
    [['run', '--nonsense'], 'The following argument was not expected: --nonsense; see --help'],
    [['run', '--seconds='], '--seconds: got ""; allowed: a value'],
    [['run', '--scenario', ''], '--scenario: got ""; allowed: a value'],
  ]) {
    const { code, stdout, stderr } = await run(virtual, args);
    assert.deepEqual([code, stdout, stderr], [2, '', `latchscope: ${error}\n`]);
  }
});

test('quoted arguments are short and printable', async () => {
  for (const hostile of ['\x1b[31m', '\u202e', 'a'.repeat(100_000)]) {
    for (const args of [
      [hostile],
      ['run', hostile],
      ['describe', hostile],
      ['run', '--scenario', hostile],
      ['run', '--spec', hostile],
    ]) {
      const { code, stderr } = await run(threads, args);
      assert.equal(code, 2);
      assert.doesNotMatch(stderr, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
      assert.ok(stderr.split('\n').every((line) => line.length < 1000));
    }
  }
});

const SMALL_WHAT_IF = ['what-if', ...SMALL_RUN, '--seconds', '0.001'];
const LATCH = 'fil_system->mutex';

test('the page lists the latches of the engine', async () => {
  for (const program of [threads, virtual]) {
    const { code, stdout } = await run(program, ['latches', '--json']);
    assert.equal(code, 0);
    assert.deepEqual((await contract()).engine_latches, JSON.parse(stdout), 'npm run contract -- --update');
  }
});

test('what-if runs each point, and 100 % equals the baseline run', async () => {
  const scale = ['--scale', '0,100', '--seeds', '2', '--json', '-'];
  const { code, stdout, stderr } = await run(LAUNCHER, [...SMALL_WHAT_IF, '--latch', LATCH, ...scale]);
  assert.equal(code, 0, stderr);
  const { spec, points } = JSON.parse(stdout);
  const [asItIs, empty, unchanged] = points;
  assert.equal(spec.platform, 'virtual');
  assert.deepEqual(unchanged.runs, asItIs.runs);
  assert.deepEqual(unchanged.tps_ratio, { mean: 1, low: 1, high: 1 });
  assert.notDeepEqual(empty.runs, asItIs.runs);
  // Repeats one of the runs with the what-if as part of its spec.
  const supposed = JSON.stringify({ ...spec, seed: spec.seed + 1, what_if: empty.what_if });
  writeFileSync(join(folder, 'supposed.json'), supposed);
  const again = await run(virtual, ['run', '--spec', join(folder, 'supposed.json'), '--json', '-']);
  const { totals } = JSON.parse(again.stdout);
  assert.deepEqual({ tps: totals.tps, p99_ms: totals.latency_ms.p99 }, empty.runs[1]);
});

test('the what-if profile lists the hot latches in order', async () => {
  const profile = [...SMALL_WHAT_IF, '--profile', '--seeds', '2', '--top', '3', '--json', result];
  const { code, stdout, stderr } = await run(virtual, profile);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /latch +cost +critical section 80 % +hand-off free/);
  const { latches, section_percent } = whole(result);
  const shares = latches.map(({ cost_share }) => cost_share);
  assert.equal(section_percent, 80);
  assert.deepEqual(
    shares,
    shares.toSorted((a, b) => b - a),
  );
  for (const { latch, section, hand_over } of latches) {
    assert.deepEqual(section.what_if, { latches: [{ latch, section_percent: 80 }] });
    assert.deepEqual(hand_over.what_if, { latches: [{ latch, hand_over: 'free' }] });
    assert.ok(section.tps_ratio.low <= section.tps_ratio.mean);
  }
});

test('what-if from a moment counts the intervals from there', async () => {
  const from = [
    '--seconds',
    '0.004',
    '--from',
    '0.002',
    '--cost',
    'pause_ps',
    '--scale',
    '100',
    '--json',
    '-',
  ];
  const { stdout } = await run(virtual, ['what-if', ...SMALL_RUN, ...from]);
  const { spec, points } = JSON.parse(stdout);
  writeFileSync(join(folder, 'from.json'), JSON.stringify(spec));
  const again = await run(virtual, ['run', '--spec', join(folder, 'from.json'), '--json', '-']);
  const [, { t_s, tps, latency_ms }, ...more] = JSON.parse(again.stdout).intervals;
  assert.deepEqual([t_s, more], [0.004, []]);
  assert.deepEqual(points[0].runs, [{ tps, p99_ms: latency_ms.p99 }]);
});

test('another branch equals the run with that step; before the step nothing differs', async () => {
  const fork = ['--from', '0.002', '--fork-at', '0.003:tablespace_lookup=atomic_word', '--json', '-'];
  const given = ['what-if', ...SMALL_RUN, '--seconds', '0.005', ...fork];
  const { code, stdout, stderr } = await run(virtual, given);
  assert.equal(code, 0, stderr);
  const { spec, from_s, points } = JSON.parse(stdout);
  const [asItIs, other] = points;
  assert.equal(from_s, 0.002);
  assert.deepEqual(other.step, { at_s: 0.003, knob: 'tablespace_lookup', variant: 'atomic_word' });
  assert.notDeepEqual(other.runs, asItIs.runs);
  const intervals = [];
  for (const actions of [[], [other.step]]) {
    writeFileSync(join(folder, 'course.json'), JSON.stringify({ ...spec, actions }));
    const again = await run(virtual, ['run', '--spec', join(folder, 'course.json'), '--json', '-']);
    intervals.push(JSON.parse(again.stdout).intervals);
  }
  const [[before], [sameBefore]] = intervals;
  assert.deepEqual(sameBefore, before);
});

test('what-if reports invalid options and ends with exit code 2', async () => {
  for (const [args, error] of [
    [
      [],
      /^latchscope: what-if: got 0 of these options; allowed: exactly one of --profile, --latch, --cost and --fork-at/,
    ],
    [
      ['--latch', 'x'],
      /^latchscope: what_if\.latches\[0\]\.latch: got "x"; allowed: one of Fil_shard::m_mutex/,
    ],
    [['--latch', LATCH, '--site', 'x'], /latches\[0\]\.site: got "x"; allowed: one of fil_/],
    [
      ['--latch', 'Fil_shard::m_rw_lock'],
      /^latchscope: --latch: got Fil_shard::m_rw_lock; allowed: a latch of this run: .*fil_/,
    ],
    [['--latch', LATCH, '--scale', '50,x'], /^latchscope: --scale: got 50,x; allowed: integers/],
    [['--cost', 'x'], /what_if\.costs\.x: got 0; allowed: one of work_percent/],
    [
      ['--cost', 'work_percent', '--scale', '0'],
      /costs\.work_percent: got 0; allowed: a percentage that keeps/,
    ],
    [['--profile', '--from', '1'], /^latchscope: --from: got 1; allowed: a number from 0.001, before/],
    [['--fork-at', 'x:one_table'], /^latchscope: --fork-at: got x; allowed: a number from 0.001, before/],
    [['--fork-at', '1:one_table'], /^latchscope: --fork-at: got 1; allowed: a number from 0.001, before/],
    [['--profile', '--seeds', '31'], /^latchscope: --seeds: got 31; allowed: an integer from 1 to 30/],
    [['--profile', '--platform', 'threads'], /^latchscope: platform: got "threads"; allowed: virtual/],
  ]) {
    const { code, stdout, stderr } = await run(virtual, [...SMALL_WHAT_IF, ...args]);
    assert.deepEqual([code, stdout], [2, ''], stderr);
    assert.match(stderr, error);
  }
  const { code, stderr } = await run(threads, [...SMALL_WHAT_IF, '--profile']);
  assert.equal(code, 2);
  assert.match(stderr, /^latchscope: --platform: got threads; allowed: virtual/);
});

test('the command line prints the lines that the page exports, byte for byte', async () => {
  const { spec, output } = JSON.parse(
    readFileSync(join(repository, 'scenarios/sysbench-output.json'), 'utf8'),
  );
  const printed = await runNativelyAsSysbench(await buildCommandLine('virtual'), spec);
  assert.equal(printed, output.join('\n'), 'npm run evidence -- determinism --update');
});
