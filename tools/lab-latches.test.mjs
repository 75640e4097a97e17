// Tests that every latch of lab/latches compiles and matches its declaration.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

import { labCommand } from './lab-command.mjs';
import { labLanguage } from './lab-language.mjs';
import { readLatches, readLiterature, sourceOfLatch } from './lab-latches.mjs';
import { repository } from './processes.mjs';

const folder = join(repository, 'lab/latches');

const latches = (await readLatches()).map((latch) => ({ ...latch, source: sourceOfLatch(latch.latch) }));
const { sources } = await readLiterature();
const citedBy = (id) => sources.find((source) => source.id === id).cited;

const compileCommand = (args, input) =>
  spawnSync(process.execPath, [join(repository, 'tools/cli.mjs'), 'latchscope', 'lab', ...args], {
    encoding: 'utf8',
    input,
  });

test('every latch compiles', async () => {
  const { compile } = await labLanguage();
  for (const { latch, source, kind } of latches) {
    const { program, errors } = compile(source);
    assert.deepEqual(errors, undefined, latch);
    assert.equal(kind === 'rw-latch', program.functions.enter_shared !== undefined, latch);
  }
  const many = (wanted) => latches.filter(({ verdict }) => verdict === wanted).length;
  assert.ok(many('right') >= 20 && many('wrong') >= 14);
});

test('a right latch names its declared sources and its invariant', () => {
  for (const { latch, verdict, source, sources: ids } of latches.filter((each) => each.verdict !== 'wrong')) {
    const [, text] = /^\/\/ .+\n\/\/ Source: ([^]+?)\n\/\/ Invariant: /.exec(source) ?? [];
    assert.ok(text !== undefined, latch);
    assert.equal(verdict === 'starving', source.includes('\n// Starves: '), latch);
    for (const id of ids) {
      const [author] = /^\w+/.exec(citedBy(id));
      const [year] = /\d{4}$|$/.exec(citedBy(id));
      assert.ok(text.includes(author) && text.includes(year), `${latch}: ${citedBy(id)}`);
    }
  }
});

test('a wrong latch starts with its declared fault', () => {
  for (const { latch, source, fault, needs_store_buffers = false } of latches.filter(
    ({ verdict }) => verdict === 'wrong',
  )) {
    assert.match(source, new RegExp(`^// Wrong: ${fault}: .+\\.\\n`), latch);
    assert.equal(source.includes('\n// Memory: tso\n'), needs_store_buffers, latch);
  }
});

test('faults of the declared latches are reported with file, field, value and what is allowed', async () => {
  const scratch = mkdtempSync(join(tmpdir(), 'latchscope-latches-'));
  try {
    const faultsOf = async (change) => {
      cpSync(join(repository, 'lab'), join(scratch, 'lab'), { recursive: true });
      const file = join(scratch, 'lab/latches/latches.json');
      const document = JSON.parse(readFileSync(file, 'utf8'));
      change(document.latches);
      writeFileSync(file, JSON.stringify(document));
      return readLiterature(join(scratch, 'lab')).then(
        () => [],
        (error) => error.message.split('\n'),
      );
    };
    assert.deepEqual(await faultsOf(() => {}), []);
    assert.match(
      (await faultsOf((declared) => (declared[0].kind = 'spinlock')))[0],
      /^lab\/latches\/latches.json: latches\[0\].kind: got "spinlock"; allowed: one of mutex, rw-latch$/,
    );
    const [missing, verdict, kind, more] = await faultsOf((declared) => {
      declared.shift();
      declared[0].verdict = 'wrong';
    });
    assert.equal(
      missing,
      'lab/latches/latches.json: latches: got nothing; allowed: an entry for test-and-set',
    );
    assert.equal(
      verdict,
      'lab/latches/latches.json: latches[0].verdict: got "wrong"; allowed: right, because of its folder',
    );
    assert.match(kind, /latches\[0\]\.fault: got nothing; allowed: the kind of its fault$/);
    assert.match(more, /latches\[0\]\.sources: .*; allowed: none for a wrong latch$/);
    assert.match(
      (await faultsOf((declared) => (declared[0].sources = ['nobody-1999'])))[0],
      /latches\[0\]\.sources: got "nobody-1999"; allowed: one of dijkstra-1965, /,
    );
  } finally {
    rmSync(scratch, { recursive: true });
  }
});

test('docs/reference/latch-language.md states each limit', async () => {
  const { lab_limits: limits } = await labLanguage();
  const docs = readFileSync(join(repository, 'docs/reference/latch-language.md'), 'utf8').replace(
    /\s+/g,
    ' ',
  );
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

test('lab compile writes the program to a file, wherever --json is', () => {
  const file = join(folder, 'test-and-set.latch');
  const target = join(mkdtempSync(join(tmpdir(), 'latchscope-compiled-')), 'program.json');
  for (const args of [
    [file, '--json', target],
    ['--json', target, file],
    [file, `--json=${target}`],
  ]) {
    const { status, stdout, stderr } = compileCommand(['compile', ...args]);
    assert.deepEqual([status, stdout, stderr], [0, '', '']);
    assert.deepEqual(JSON.parse(readFileSync(target, 'utf8')).functions, { enter: [0, 7], exit: [7, 10] });
    rmSync(target);
  }
  const printed = compileCommand(['compile', '--json', file]).stdout;
  assert.equal(compileCommand(['compile', file, '--json', '-']).stdout, printed);
  rmSync(dirname(target), { recursive: true });
});

for (const args of [
  ['--help'],
  ['-h'],
  ['compile', '--help'],
  ['exercises', '--help'],
  ['judge', '-h'],
  ['literature', '--help'],
])
  test(`lab ${args.join(' ')} prints its usage`, () => {
    const { status, stdout } = compileCommand(args);
    assert.equal(status, 0);
    assert.match(stdout, /^latchscope lab /);
  });

test('a compile error has its position, the source line and a pointer', () => {
  const { status, stderr, stdout } = compileCommand(
    ['compile', '-'],
    'word a;\nvoid enter() {\n\tuint x = a;\n}\nvoid exit() { }\n',
  );
  assert.deepEqual([status, stdout], [2, '']);
  assert.equal(stderr, '-:3:11: a is a word: write load(a) to read it\n\tuint x = a;\n\t         ^\n');
});

test('a missing file, no file and an unknown action are reported', () => {
  const refused = (...args) => {
    const { status, stderr } = compileCommand(args);
    assert.equal(status, 2);
    return stderr;
  };
  assert.match(
    refused('compile', 'no-such.latch'),
    /^FILE: got "no-such.latch"; allowed: a readable text file/,
  );
  assert.match(refused('check'), /^lab check: got nothing; allowed: a FILE, or - for standard input/);
  assert.match(
    refused('polish', 'x'),
    /^lab: got "polish"; allowed: check, bench, compile, exercises, judge, literature/,
  );
  assert.match(refused('compile', '--fast', 'x'), /^lab compile: got "--fast"; allowed: a FILE/);
});

test('the native program gets - as the file, the other arguments, and the compiled program on standard input', async () => {
  const source = sourceOfLatch('ticket');
  const passed = await labCommand(['lab', 'check', 'ticket.latch', '--seed', '7'], async () => ({
    text: source,
  }));
  assert.deepEqual(passed.args, ['lab', 'check', '-', '--seed', '7']);
  assert.deepEqual(
    JSON.parse(passed.input).words.map(({ name }) => name),
    ['next_ticket', 'now_serving'],
  );
});
