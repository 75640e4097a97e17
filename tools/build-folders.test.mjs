// Tests that build folders are reused only when nothing they depend on has changed.
import assert from 'node:assert/strict';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';

import { buildAlone, emptyBuildFolder, prepareBuildFolder } from './build-folders.mjs';
import { CommandFailed, commandOutput } from './processes.mjs';
import { which } from './setup/commands.mjs';

let checkout;
let compiler;

beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'latchscope-build-'));
  compiler = join(checkout, 'clang++');
  writeFileSync(compiler, '');
});

afterEach(() => rmSync(checkout, { recursive: true }));

function prepare(place = checkout, { options = ['-G', 'Ninja'], programs = [compiler] } = {}) {
  const folder = join(place, 'build');
  prepareBuildFolder(folder, { source: join(place, 'source'), options, programs });
  return folder;
}

function isSetUpAnew(...setUp) {
  const marker = join(checkout, 'build', 'object.o');
  writeFileSync(marker, '');
  prepare(...setUp);
  return !existsSync(marker);
}

test('a build folder is reused while nothing changes', () => {
  prepare();
  assert.equal(isSetUpAnew(), false);
});

test('a build folder is configured again with other options, or when a compiler was replaced', () => {
  prepare();
  assert.equal(isSetUpAnew(checkout, { options: ['-G', 'Ninja', '-DLATCHSCOPE_SANITIZE=thread'] }), true);
  prepare();
  utimesSync(compiler, 1, 1);
  assert.equal(isSetUpAnew(), true);
  const other = join(checkout, 'other-clang++');
  writeFileSync(other, '');
  assert.equal(isSetUpAnew(checkout, { programs: [other] }), true);
});

test('a build folder without a record of its configuration is configured again', () => {
  mkdirSync(join(checkout, 'build'));
  assert.equal(isSetUpAnew(), true);
});

test('one process builds at a time; its nested calls build too, and the next process waits', async () => {
  const builds = join(checkout, 'build');
  const order = [];
  let finish;
  let begin;
  const isFinished = new Promise((resolve) => (finish = resolve));
  const hasBegun = new Promise((resolve) => (begin = resolve));
  const first = buildAlone(async () => {
    order.push('first');
    begin();
    await buildAlone(async () => order.push('within the first'), builds);
    await isFinished;
    order.push('first has ended');
  }, builds);
  await hasBegun;
  const second = buildAlone(async () => order.push('second'), builds);
  finish();
  await Promise.all([first, second]);
  assert.deepEqual(order, ['first', 'within the first', 'first has ended', 'second']);
});

test('removing all builds keeps the lock of the process that removes them', async () => {
  const builds = join(checkout, 'build');
  mkdirSync(join(builds, 'native-release'), { recursive: true });
  await buildAlone(async () => {
    emptyBuildFolder(builds);
    assert.deepEqual(readdirSync(builds), ['.flock']);
  }, builds);
});

const skip = which(['cmake']) ? false : 'no cmake on PATH';

test('a checkout that was copied is configured again by CMake', { skip }, async () => {
  const source = join(checkout, 'source');
  mkdirSync(source);
  writeFileSync(
    join(source, 'CMakeLists.txt'),
    'cmake_minimum_required(VERSION 3.22)\nproject(nothing NONE)\n',
  );
  const configure = (place) =>
    commandOutput('cmake', ['-S', join(place, 'source'), '-B', join(place, 'build')], { quiet: true });
  prepare();
  await configure(checkout);
  const copy = `${checkout}-copy`;
  try {
    cpSync(checkout, copy, { recursive: true });
    await assert.rejects(configure(copy), CommandFailed);
    prepare(copy);
    await configure(copy);
    assert.ok(readdirSync(join(copy, 'build')).includes('CMakeCache.txt'));
  } finally {
    rmSync(copy, { recursive: true });
  }
});
