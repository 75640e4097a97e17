// Tests that files and folders are replaced atomically.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';

import { replaceFolder, requireWritable, writeIfChanged, writeWhole } from './files.mjs';
import { OutputRefused } from './processes.mjs';

let folder;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'latchscope-files-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

const at = (...parts) => join(folder, ...parts);
const read = (...parts) => readFileSync(at(...parts), 'utf8');

test('a file is replaced atomically, with its permissions, and no temporary file remains', () => {
  writeFileSync(at('a.json'), 'old');
  chmodSync(at('a.json'), 0o640);
  writeWhole(at('a.json'), 'new');
  assert.equal(read('a.json'), 'new');
  assert.equal(statSync(at('a.json')).mode & 0o777, 0o640);
  assert.deepEqual(readdirSync(folder), ['a.json']);
});

test('a name may be as long as the file system allows', () => {
  const name = 'é'.repeat(127);
  writeWhole(at(name), 'new');
  assert.equal(read(name), 'new');
  assert.deepEqual(readdirSync(folder), [name]);
});

test('a pipe that no program reads is an error, not a wait', () => {
  execFileSync('mkfifo', [at('pipe')]);
  assert.throws(() => writeWhole(at('pipe'), 'new'), { code: 'ENXIO' });
});

test('a file whose replacement fails stays unchanged', () => {
  writeFileSync(at('a.json'), 'old');
  mkdirSync(at(`a.json.partial-${process.pid}`));
  assert.throws(() => writeWhole(at('a.json'), 'new'));
  assert.equal(read('a.json'), 'old');
});

test('a link stays a link, and a special file is written to, not replaced', () => {
  writeFileSync(at('real'), 'old');
  symlinkSync('real', at('link'));
  writeWhole(at('link'), 'new');
  assert.equal(read('real'), 'new');
  assert.deepEqual(readdirSync(folder).sort(), ['link', 'real']);
  writeWhole('/dev/null', 'new');
  assert.ok(statSync('/dev/null').isCharacterDevice());
  assert.throws(() => writeWhole('/dev/full', 'new'), { code: 'ENOSPC' });
});

test('a file that would not change is not touched', () => {
  writeIfChanged(at('deep', 'a'), 'text');
  const { ino } = statSync(at('deep', 'a'));
  writeIfChanged(at('deep', 'a'), 'text');
  assert.equal(statSync(at('deep', 'a')).ino, ino);
  writeIfChanged(at('deep', 'a'), Buffer.from('other'));
  assert.equal(read('deep', 'a'), 'other');
});

test('a path that is not writable is refused before the work starts', () => {
  writeFileSync(at('file'), '');
  requireWritable('--json', at('new.json'));
  requireWritable('--json', '/dev/null');
  for (const [path, allowed] of [
    [folder, /^--json: got ".*"; allowed: a file, not a folder$/],
    [at('none', 'a.json'), /allowed: a file in an existing folder$/],
    [at('file', 'a.json'), /allowed: a file/],
  ])
    assert.throws(
      () => requireWritable('--json', path),
      (error) => error instanceof OutputRefused && allowed.test(error.message),
    );
});

function fill(name, files) {
  mkdirSync(at(name));
  for (const [file, text] of Object.entries(files)) writeFileSync(at(name, file), text);
}

test('a folder replaces another; one with the same content is not touched', () => {
  fill('new', { 'index.html': '1' });
  replaceFolder(at('new'), at('dist'));
  const { ino } = statSync(at('dist'));
  fill('new', { 'index.html': '1' });
  replaceFolder(at('new'), at('dist'));
  assert.equal(statSync(at('dist')).ino, ino);
  fill('new', { 'index.html': '2', 'a.js': '' });
  replaceFolder(at('new'), at('dist'));
  assert.equal(read('dist', 'index.html'), '2');
  assert.deepEqual(readdirSync(folder), ['dist']);
});
