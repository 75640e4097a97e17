// Tests how programs end, with small programs in a temporary folder.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, test } from 'node:test';

import { OutputRefused, repository, UsageError } from './processes.mjs';
import { describeFailure } from './program.mjs';
import { NotWritable, SetupError } from './setup/progress.mjs';

let folder;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'latchscope-program-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

/** Starts a program whose `main` has this body. */
function startMain(body, { stdout = 'pipe' } = {}) {
  const file = join(folder, 'program.mjs');
  const from = (name) => JSON.stringify(join(repository, 'tools', name));
  writeFileSync(
    file,
    `import { writeFileSync, rmSync } from 'node:fs';
     import { runProgram } from ${from('program.mjs')};
     import { startProgram, undoneIfInterrupted } from ${from('interruption.mjs')};
     import { runCommand } from ${from('processes.mjs')};
     await runProgram(async () => ({ async main() { ${body} } }));`,
  );
  const child = spawn(process.execPath, [file], { cwd: folder, stdio: ['ignore', stdout, 'pipe'] });
  child.stderr.setEncoding('utf8');
  let errors = '';
  child.stderr.on('data', (chunk) => (errors += chunk));
  const ended = once(child, 'close').then(([code, signal]) => ({ code: code ?? signal, errors }));
  return { child, ended };
}

const firstLineOf = async ({ stdout }) => (await once(createInterface({ input: stdout }), 'line'))[0];

/** A process that ended may still be listed until its parent reads its exit status. */
const isRunning = (pid) =>
  existsSync(`/proc/${pid}`) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));

async function untilGone(pid) {
  while (isRunning(pid)) await new Promise(setImmediate);
}

const HALF_MADE = `
  writeFileSync('partial', '');
  await undoneIfInterrupted(() => rmSync('partial'), async () => {
    const { child, ended } = startProgram('sh', ['-c', 'sleep 1000 & echo $!; wait'], { stdio: ['ignore', 'inherit', 'inherit'] });
    await ended;
  });
  writeFileSync('went-on', '');`;

for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
]) {
  test(`${signal} ends the program and its child processes, and removes half-finished files`, async () => {
    const { child, ended } = startMain(HALF_MADE);
    const grandchild = Number(await firstLineOf(child));
    assert.ok(isRunning(grandchild));
    child.kill(signal);
    assert.deepEqual(await ended, { code, errors: '' });
    await untilGone(grandchild);
    for (const file of ['partial', 'went-on']) assert.ok(!existsSync(join(folder, file)), file);
  });
}

test('a second signal ends it immediately', async () => {
  const { child, ended } = startMain(
    `const stubborn = 'trap "echo told" INT; echo ready; while :; do sleep 1000 & wait $!; done';
     await startProgram('sh', ['-c', stubborn], { stdio: ['ignore', 'inherit', 'inherit'] }).ended;`,
  );
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  assert.equal((await lines.next()).value, 'ready');
  child.kill('SIGINT');
  assert.equal((await lines.next()).value, 'told');
  child.kill('SIGINT');
  assert.equal((await ended).code, 130);
});

test('a check that fails because of the signal is not reported', async () => {
  const { child, ended } = startMain(
    `console.log('ready');
     try { await runCommand('sleep', ['1000']); } catch (error) { console.log(error.message); }
     writeFileSync('went-on', '');`,
  );
  await firstLineOf(child);
  child.kill('SIGTERM');
  assert.deepEqual(await ended, { code: 143, errors: '' });
  assert.ok(!existsSync(join(folder, 'went-on')));
});

test('output that cannot be written ends the program with exit code 4 and a message', async () => {
  const full = startMain(`console.log('lost'); writeFileSync('went-on', '');`, {
    stdout: openSync('/dev/full', 'w'),
  });
  const { code, errors } = await full.ended;
  assert.equal(code, 4);
  assert.equal(errors, 'Standard output cannot be written: no space left (ENOSPC).\n');
});

test('a broken pipe ends the program with exit code 4 and a message', async () => {
  const { child, ended } = startMain(`for (;;) { console.log('line'); await new Promise(setImmediate); }`);
  await firstLineOf(child);
  child.stdout.destroy();
  const { code, errors } = await ended;
  assert.equal(code, 4);
  assert.equal(errors, 'Standard output cannot be written: its reader is gone (EPIPE).\n');
});

test('an unexpected error is reported without a stack trace', async () => {
  const { ended } = startMain(`setImmediate(() => { throw new Error('no such thing'); });
    await new Promise(() => setInterval(() => {}, 1000));`);
  assert.deepEqual(await ended, { code: 1, errors: '\nFailed: no such thing\n' });
});

test('each kind of failure has its exit code', () => {
  const fault = (code, path) => Object.assign(new Error(code), { code, path });
  for (const [error, exitCode, text] of [
    [new UsageError('--port: got "x"'), 2, /^--port: got "x"$/],
    [new OutputRefused('--json: got "/"'), 4, /^--json: got "\/"$/],
    [new SetupError('no clang', 'install it'), 1, /^\nSet-up failed: no clang\n\nWhat to do: install it$/],
    [new NotWritable('the cache', 'set LATCHSCOPE_CACHE'), 4, /What to do: set LATCHSCOPE_CACHE/],
    [
      fault('EROFS', '/checkout/build'),
      4,
      /^\/checkout\/build cannot be written: the file system is read-only/,
    ],
    [fault('EACCES', '/checkout/build'), 4, /permission denied \(EACCES\)/],
    [fault('ENOSPC', '/checkout/dist'), 4, /no space left/],
    [fault('ENOENT', '/checkout/LICENSE'), 1, /^\nFailed: ENOENT/],
    [undefined, 1, /^\nFailed: undefined$/],
  ]) {
    const failure = describeFailure(error);
    assert.equal(failure.exitCode, exitCode, failure.text);
    assert.match(failure.text, text);
  }
});

test('the exit codes are those of CONTRIBUTING.md', () => {
  const table = readFileSync(join(repository, 'CONTRIBUTING.md'), 'utf8')
    .split('## Exit codes')[1]
    .split('\n## ')[0];
  const stated = [...table.matchAll(/^\| `(\d+)`/gm)].map(([, code]) => Number(code));
  assert.deepEqual(stated, [0, 1, 2, 4, 129, 130, 143]);
});
