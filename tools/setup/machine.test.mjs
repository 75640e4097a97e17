import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { which } from './commands.mjs';
import { emscriptenWays } from './emscripten.mjs';
import { clangWays } from './native-toolchain.mjs';
import { ensureNodeModules, isUpToDate } from './node-modules.mjs';
import { parsePrintedUris } from './private-apt.mjs';

const { PATH, EMSDK, CXX } = process.env;
let folder;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'latchscope-test-'));
  process.env.LATCHSCOPE_CACHE = join(folder, 'cache');
  delete process.env.EMSDK;
  delete process.env.CXX;
});

afterEach(() => {
  rmSync(folder, { recursive: true });
  Object.assign(process.env, { PATH }, EMSDK && { EMSDK }, CXX && { CXX });
  delete process.env.LATCHSCOPE_CACHE;
});

function writeProgram(path, script) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
}

function writeEmcc(version) {
  writeProgram(join(folder, 'emcc'), `echo "emcc (Emscripten gcc/clang-like replacement) ${version} (abc)"`);
  process.env.PATH = `${folder}:${PATH}`;
}

const fromPath = () => emscriptenWays()[1].get();

test('an emcc on PATH that is too old is refused with both versions named', async () => {
  writeEmcc('3.1.6');
  await assert.rejects(fromPath(), /version 3\.1\.6, wanted is >= 3\.1\.58/);
});

test('an emcc on PATH that is new enough is used, with a writable cache of its own', async () => {
  writeEmcc('3.1.70');
  const { version, emxx, env } = await fromPath();
  assert.equal(version, '3.1.70');
  assert.equal(emxx, join(folder, 'em++'));
  assert.equal(env.EM_CACHE, join(folder, 'cache', 'em-cache-3.1.70'));
});

test('what is remembered about a program is asked again when the program changes', async () => {
  writeEmcc('3.1.6');
  await assert.rejects(fromPath());
  rmSync(join(folder, 'emcc'));
  writeEmcc('3.1.700');
  assert.equal((await fromPath()).version, '3.1.700');
});

test('CXX that is not clang is refused', async () => {
  writeProgram(join(folder, 'g++'), 'echo "g++ (Debian 12.2.0-14) 12.2.0"');
  process.env.CXX = join(folder, 'g++');
  await assert.rejects(clangWays()[0].get(), /is not clang/);
});

test('programs in the cache are not programs of the machine', () => {
  writeProgram(join(folder, 'cache', 'bin', 'tool'), 'true');
  process.env.PATH = `${join(folder, 'cache', 'bin')}:${PATH}`;
  assert.equal(which(['tool']), null);
});

test('what apt would download is read with versions and sizes', () => {
  const text = `'http://m/a.deb' libfoo-1.0_1%3a2.3~rc+b1_amd64.deb 1234 SHA256:00\nother text\n`;
  assert.deepEqual(parsePrintedUris(text), [{ name: 'libfoo-1.0', version: '1:2.3~rc+b1', bytes: 1234 }]);
});

test('node_modules are installed once for each package.json', async () => {
  const log = join(folder, 'npm.log');
  writeProgram(join(folder, 'npm'), `echo "$1" >> '${log}'; mkdir -p node_modules`);
  process.env.PATH = `${folder}:${PATH}`;
  writeFileSync(join(folder, 'package.json'), '{}');
  assert.deepEqual(await ensureNodeModules({ projectRoot: folder }), { installed: true });
  assert.deepEqual(await ensureNodeModules({ projectRoot: folder }), { installed: false });
  writeFileSync(join(folder, 'package.json'), '{ "name": "other" }');
  assert.equal(isUpToDate(folder), false);
});
