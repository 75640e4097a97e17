// The latches of lab/latches: every file compiles, and says what it is.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { labCommand } from './lab-command.mjs';
import { labLanguage } from './lab-language.mjs';
import { repository } from './processes.mjs';

const KINDS = 'mutual_exclusion|deadlock|lost_wake_up|no_end|starvation|check_failed';
const folder = join(repository, 'lab/latches');

const latchesIn = (path) =>
  readdirSync(path)
    .filter((file) => file.endsWith('.latch'))
    .map((file) => ({ file, source: readFileSync(join(path, file), 'utf8') }));

const right = latchesIn(folder);
const starving = latchesIn(join(folder, 'starving'));
const wrong = latchesIn(join(folder, 'wrong'));

const compileCommand = (args, input) =>
  spawnSync(process.execPath, [join(repository, 'tools/latchscope.mjs'), 'lab', ...args], {
    encoding: 'utf8',
    input,
    timeout: 120_000,
  });

test('every latch compiles', async () => {
  const { compile } = await labLanguage();
  for (const { file, source } of [...right, ...starving, ...wrong])
    assert.deepEqual(compile(source).errors, undefined, file);
  assert.ok(right.length >= 20 && wrong.length >= 14);
});

test('a right latch says its source and its invariant, a wrong one its kind and why', () => {
  for (const { file, source } of [...right, ...starving])
    assert.match(source, /^\/\/ .+\n\/\/ Source: .+\n\/\/ Invariant: /, file);
  for (const { file, source } of wrong)
    assert.match(source, new RegExp(`^// Wrong: (${KINDS}): .+\\.\\n`), file);
});

test('docs/latch-lab.md names each limit', async () => {
  const { lab_limits: limits } = await labLanguage();
  const docs = readFileSync(join(repository, 'docs/latch-lab.md'), 'utf8').replace(/\s+/g, ' ');
  const named = (number) => number.toLocaleString('en-US');
  for (const words of [
    `${named(limits.instructions_max)} instructions, ${limits.words_max} words, ${limits.elements_max} elements`,
    `${limits.registers_max} registers, ${limits.words_on_line_max} words on a line`,
    `names of ${limits.name_length_max} characters, ${named(limits.source_lines_max)} lines of source`,
    `\`threads at most\` ${named(limits.threads_max)}`,
  ])
    assert.ok(docs.includes(words), words);
});

test('lab compile prints the listing, or the program', () => {
  const file = join(folder, 'test-and-set.latch');
  assert.match(compileCommand(['compile', file]).stdout, /^enter:\n {3}0 {2}constant r2, 1 +line 7\n/);
  const program = JSON.parse(compileCommand(['compile', file, '--json']).stdout);
  assert.deepEqual(program.functions, { enter: [0, 7], exit: [7, 10] });
});

test('an error in a source is a line with its place, the source line and a pointer', () => {
  const { status, stderr, stdout } = compileCommand(
    ['compile', '-'],
    'word a;\nvoid enter() {\n\tuint x = a;\n}\nvoid exit() { }\n',
  );
  assert.deepEqual([status, stdout], [2, '']);
  assert.equal(stderr, '-:3:11: a is a word: write load(a) to read it\n\tuint x = a;\n\t         ^\n');
});

test('a missing file, no file and an unknown action are named', () => {
  const refused = (...args) => {
    const { status, stderr } = compileCommand(args);
    assert.equal(status, 2);
    return stderr;
  };
  assert.match(
    refused('compile', 'no-such.latch'),
    /^FILE: got "no-such.latch"; allowed: a readable text file/,
  );
  assert.match(refused('check'), /^lab check: got nothing; allowed: first a FILE, or - for standard input/);
  assert.match(refused('polish', 'x'), /^lab: got "polish"; allowed: check, bench, compile/);
  assert.match(refused('compile', '--fast', 'x'), /^lab compile: got "--fast"; allowed: first a FILE/);
});

test('the native program gets - for the file, its other arguments and the program as JSON', async () => {
  const source = right.find(({ file }) => file === 'ticket.latch').source;
  const passed = await labCommand(['lab', 'check', 'ticket.latch', '--seed', '7'], async () => ({
    text: source,
  }));
  assert.deepEqual(passed.args, ['lab', 'check', '-', '--seed', '7']);
  assert.deepEqual(
    JSON.parse(passed.input).words.map(({ name }) => name),
    ['next_ticket', 'now_serving'],
  );
});
