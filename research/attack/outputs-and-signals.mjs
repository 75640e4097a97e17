// Sends signals at random times, and closes or fills standard streams. The exit code must be a
// documented one. An earlier result must stay or be replaced by a complete one. No process or file
// may be left behind.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import fc from 'fast-check';

import { brokenInvariants } from '../../tools/native-engine.mjs';
import { EXIT, outputsOf, repository } from '../../tools/processes.mjs';
import { SMALL_RUN } from '../../tools/small-run.mjs';
import { startProgramOfTest } from '../../tools/started-program.mjs';
import { withPrograms } from './command-line-program.mjs';

const LAUNCHER = [process.execPath, join(repository, 'tools/cli.mjs'), 'latchscope'];
const EARLIER = '"an earlier result"\n';
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

const RUNS = [
  SMALL_RUN,
  ['--scenario', 'aio-wakeup-95491', '--threads', '4', '--param', 'tables=2'],
  ['--scenario', 'xa-gtid-99638', '--threads', '4', '--param', 'rows_per_table=1000'],
  ['--scenario', 'undo-read-117533', '--threads', '4', '--param', 'rows=1000', '--at', '0.05:update_k'],
  // A purge that would take 40 s.
  ['--scenario', 'binlog-purge-104615', '--threads', '4', '--param', 'rows_per_table=1000', '--param']
    .concat('max_binlog_size_kib=64', '--param', 'old_binlogs_gib=200', '--param', 'unlink_ms_per_gib=200')
    .concat('--at', '0.05:expire_logs_1s'),
];

const signal = (afterMs) =>
  fc.record({ after_ms: fc.nat({ max: afterMs }), name: fc.constantFrom(...SIGNALS) });

/** An action after the end of a run would be refused. */
const hasEndAfterActions = ({ run, seconds }) => seconds !== '0.001' || !run.includes('--at');

const anyInput = fc.record({
  run: fc.constantFrom(...RUNS),
  seconds: fc.constantFrom('0.001', '0.2', '3600'),
  platform: fc.constantFrom('threads', 'virtual'),
  signals: fc.tuple(signal(600), fc.option(signal(900), { nil: undefined })),
  streams: fc.constantFrom(
    '',
    '',
    '>&-',
    '>/dev/full',
    '>/dev/null',
    '<&-',
    '2>&-',
    '>&- 2>&- <&-',
    '2>/dev/full',
  ),
  had_result: fc.boolean(),
});
const input = anyInput.filter(hasEndAfterActions);

/** Returns all descendants of a process. */
function descendantsOf(pid) {
  const children = readOrNothing(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean);
  return children.flatMap((child) => [child, ...descendantsOf(child)]);
}

function readOrNothing(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

const lives = (pid) => /^State:\s+[^ZX]/m.test(readOrNothing(`/proc/${pid}/status`));

const isEngine = (pid) => readOrNothing(`/proc/${pid}/cmdline`).split('\0')[1] === '--parent';

/** Waits until the engine runs: a signal during its build would test the build. */
async function untilEngineRuns(child, ended) {
  let isOver = false;
  ended.then(() => (isOver = true));
  while (!isOver && !descendantsOf(child.pid).some(isEngine)) await wait(5);
}

async function send(child, signals, ended) {
  const seen = new Set();
  for (const each of signals.filter((one) => one !== undefined)) {
    await Promise.race([wait(each.after_ms), ended]);
    for (const pid of descendantsOf(child.pid)) seen.add(pid);
    child.kill(each.name);
  }
  return seen;
}

/** Ends a run that has no end of its own and that no signal has reached. */
async function untilEnded(child, ended) {
  const again = setInterval(() => child.kill('SIGTERM'), 100);
  const outcome = await ended;
  clearInterval(again);
  return outcome;
}

function assertResult(folder, hadResult, { code }) {
  const text = readOrNothing(join(folder, 'result.json'));
  const isKept = text === (hadResult ? EARLIER : '');
  if (!isKept) assert.deepEqual(brokenInvariants(JSON.parse(text)), []);
  if (code === EXIT.ok) assert.ok(!isKept, 'exit code 0 without a result');
  assert.deepEqual(
    readdirSync(folder).filter((name) => name !== 'result.json'),
    [],
  );
}

function assertOutcome({ code, signal: diedOf, stderr }, streams) {
  if (diedOf !== null) {
    assert.ok(SIGNALS.includes(diedOf), diedOf);
    return;
  }
  const mayFail = />(&-|\/dev\/full)/.test(streams.replaceAll(/2>\S+/g, ''));
  assert.ok(code === EXIT.ok || (mayFail && code === EXIT.cannotWrite), `exit code ${code}: ${stderr}`);
}

async function endsWell({ run, seconds, platform, signals, streams, had_result }, folder, command) {
  const result = join(folder, 'result.json');
  rmSync(result, { force: true });
  if (had_result) writeFileSync(result, EARLIER);
  const args = ['run', '--platform', platform, ...run, '--seconds', seconds, '--json', result];
  const { child, ended } = startProgramOfTest(['sh', '-c', `exec "$0" "$@" ${streams}`, ...command], args);
  if (command === LAUNCHER) await untilEngineRuns(child, ended);
  const descendants = await send(child, signals, ended);
  const outcome = await untilEnded(child, ended);
  assertOutcome(outcome, streams);
  assertResult(folder, had_result, outcome);
  assert.deepEqual([...descendants].filter(lives), []);
}

const RESULT_NAME_MAX = 255;

/**
 * What exists at the path of --json before the run, and whether the result can be written there.
 */
const place = fc.record({
  name: fc.oneof(
    fc.constantFrom('r', 'ü'.repeat(127), '🔒'.repeat(63), 'r'.repeat(RESULT_NAME_MAX)),
    fc.integer({ min: 200, max: RESULT_NAME_MAX + 5 }).map((length) => 'r'.repeat(length)),
  ),
  kind: fc.constantFrom('nothing', 'file', 'link', 'pipe', 'folder'),
  is_launched: fc.boolean(),
});

function prepareResult(folder, { name, kind }) {
  const path = join(folder, name);
  if (kind === 'file') writeFileSync(path, EARLIER);
  if (kind === 'folder') mkdirSync(path);
  if (kind === 'pipe') execFileSync('mkfifo', [path]);
  if (kind === 'link') {
    writeFileSync(join(folder, 'aim'), EARLIER);
    symlinkSync('aim', path);
  }
  return path;
}

/** These runs end without a signal. */
async function writesOrRefuses(each, { programs, folder: shared }) {
  const folder = mkdtempSync(join(shared, 'result-'));
  const fits = Buffer.byteLength(each.name) <= RESULT_NAME_MAX;
  const kind = fits ? each.kind : 'nothing';
  const path = prepareResult(folder, { ...each, kind });
  const [program, ...first] = each.is_launched ? LAUNCHER : [programs.virtual];
  const args = ['run', '--platform', 'virtual', ...SMALL_RUN, '--seconds', '0.002', '--json', path];
  const { outcome, errors } = await outputsOf(program, [...first, ...args]);
  const isWritten = fits && ['nothing', 'file', 'link'].includes(kind);
  assert.equal(outcome, isWritten ? EXIT.ok : EXIT.cannotWrite, errors);
  if (isWritten) assert.deepEqual(brokenInvariants(JSON.parse(readFileSync(path, 'utf8'))), []);
  else assert.match(errors, /^latchscope: --json: got /m);
  assert.equal(readdirSync(folder).length, { nothing: isWritten ? 1 : 0, link: 2 }[kind] ?? 1);
  rmSync(folder, { recursive: true });
}

export default {
  withContext: withPrograms,
  attacks: [
    {
      name: 'the programs themselves',
      inputs: 120,
      input,
      withstands: (each, { programs, folder }) => endsWell(each, folder, [programs[each.platform]]),
    },
    {
      name: 'through tools/cli.mjs',
      inputs: 15,
      input,
      withstands: (each, { folder }) => endsWell(each, folder, LAUNCHER),
    },
    {
      name: 'names and kinds of result files',
      inputs: 60,
      input: place,
      withstands: writesOrRefuses,
    },
  ],
};
