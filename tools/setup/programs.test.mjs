// Tests which programs of the machine the set-up accepts.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { test } from 'node:test';
import { chromium, firefox } from './browsers.mjs';
import { cmake } from './cmake.mjs';
import { which } from './commands.mjs';
import { emscripten } from './emscripten.mjs';
import { clang } from './native-toolchain.mjs';
import { ensureNodeModules, isUpToDate } from './node-modules.mjs';
import { findVersion, isAccepted } from './programs.mjs';
import { useScratch } from './scratch.mjs';
import { CLANG, CMAKE, EMSCRIPTEN } from './versions.mjs';

const { PATH } = process.env;
const { at, write } = useScratch();

const writeProgram = (path, script) => write(path, `#!/bin/sh\n${script}\n`, 0o755);
const EMCC = 'echo "emcc (Emscripten gcc/clang-like replacement)';

/** Puts the program `name` first on PATH, in a folder of its own. */
function putOnPath(name, script) {
  writeProgram(`bin/${name}`, script);
  process.env.PATH = `${at('bin')}:${PATH}`;
}

const way = ({ ways }, name) => ways.find((one) => one.name === name).get();

test('versions are found in the output of programs', () => {
  assert.equal(findVersion('Debian clang version 19.1.7 (3~deb12u1)'), '19.1.7');
  assert.equal(findVersion('no number'), null);
});

for (const [name, { accepted }, good, bad] of [
  ['Emscripten', EMSCRIPTEN, ['3.1.58', '3.1.69', '4.0.0', '6.0.5'], ['3.1.6', '3.1.57', '7', '7.0.0', null]],
  ['clang', CLANG, ['16', '16.0.0', '19.1.7'], ['9.0.1', '14.0.6', '30.0.0', '100.1']],
  ['CMake', CMAKE, ['3.22', '3.22.0', '3.100.1', '4.1'], ['3.3.0', '3.21.9', '5', '10.0']],
]) {
  test(`versions of ${name} compare by number, and both ends of the range are accepted`, () => {
    const all = [...good, ...bad].filter((version) => isAccepted(version, accepted));
    assert.deepEqual(all, good);
  });
}

for (const [what, part, name, script, expected] of [
  ['too old', emscripten, 'emcc', `${EMCC} 3.1.6 (abc)"`, /version 3\.1\.6; needed: >= 3\.1\.58/],
  ['that does not start', emscripten, 'emcc', 'echo oh; exit 1', /ended with 1:\n *oh/],
  ['too old', cmake, 'cmake', 'echo cmake version 3.1.0', /version 3\.1\.0; needed: >= 3\.22/],
  ['that cannot compile', clang(), 'clang++', 'echo clang 19.1.7; [ $# = 1 ]', /clang\+\+ does not work: /],
]) {
  test(`${name} on PATH ${what} is refused`, async () => {
    putOnPath(name, script);
    const where = part === cmake ? 'PATH' : `${name} on PATH`;
    await assert.rejects(way(part, where), expected);
  });
}

for (const [what, part, variable, value, expected] of [
  ['another compiler', clang(), 'CXX', 'program', /is not clang/],
  ['nothing', clang(), 'CXX', 'nothing', /nothing is not an executable file/],
  ['nothing', chromium, 'CHROMIUM_PATH', 'nothing', /nothing is not an executable file/],
  ['nothing', firefox, 'FIREFOX_PATH', 'nothing', /nothing is not an executable file/],
  [
    'no emsdk',
    emscripten,
    'EMSDK',
    'nothing',
    /nothing\/upstream\/emscripten\/emcc is not an executable file/,
  ],
]) {
  test(`${variable} that names ${what} is refused`, async () => {
    writeProgram('program', 'echo "g++ (Debian 12.2.0-14) 22.2.0"');
    process.env[variable] = at(value);
    await assert.rejects(way(part, `$${variable}`), expected);
  });
}

for (const [what, cache, expected] of [
  ['that can be written: the machine is left as it is', '', undefined],
  ['that cannot be written: it gets one of its own', 'nowhere', 'cache/em-cache-3.1.70'],
]) {
  test(`an emcc that is new enough is used, with its cache ${what}`, async () => {
    writeProgram('sdk/upstream/emscripten/emcc', `${EMCC} 3.1.70 (abc)"`);
    const answers = `case $1 in CACHE) echo ${at(cache)};; EMSCRIPTEN_ROOT) echo /root;; esac`;
    writeProgram('sdk/upstream/emscripten/em-config', answers);
    process.env.EMSDK = at('sdk');
    const { version, cxx, env } = await way(emscripten, '$EMSDK');
    assert.deepEqual({ version, cxx }, { version: '3.1.70', cxx: '/root/em++' });
    assert.equal(env.EM_CACHE, expected && at(expected));
  });
}

test('a browser that a variable names is used', async () => {
  writeProgram('browser', 'echo A browser');
  process.env.FIREFOX_PATH = at('browser');
  assert.deepEqual(await firefox.ensure(), { path: at('browser'), source: '$FIREFOX_PATH' });
});

test('a program is examined once, even beside another of its name, and again when it changes', async () => {
  putOnPath('em-config', '');
  putOnPath('emcc', `${EMCC} 3.1.70 (abc)"`);
  const ask = () => way(emscripten, 'emcc on PATH');
  assert.equal((await ask()).version, '3.1.70');
  writeProgram('sdk/upstream/emscripten/emcc', `${EMCC} 3.1.6 (abc)"`);
  process.env.EMSDK = at('sdk');
  await assert.rejects(way(emscripten, '$EMSDK'), /3\.1\.6/);
  writeProgram('bin/em-config', 'exit 1'); // Fails if the check runs again.
  assert.equal((await ask()).version, '3.1.70');
  rmSync(at('bin'), { recursive: true });
  putOnPath('em-config', '');
  putOnPath('emcc', `${EMCC} 3.1.700 (abc)"`);
  assert.equal((await ask()).version, '3.1.700');
});

test('programs in the cache are not programs of the machine', () => {
  writeProgram('cache/bin/tool', 'true');
  process.env.PATH = `${at('cache/bin')}:${PATH}`;
  assert.equal(which(['tool']), null);
});

test('node_modules are installed once for each package.json and lock file', async () => {
  for (const name of ['package.json', 'package-lock.json']) {
    write('package.json', `{ "name": "${name}" }`);
    write('package-lock.json', '{}');
    putOnPath('npm', '[ "$1" = ci ] && mkdir -p node_modules');
    await ensureNodeModules({ projectRoot: at() });
    putOnPath('npm', 'exit 1'); // Fails if npm runs.
    await ensureNodeModules({ projectRoot: at() });
    write(name, '{ "name": "another" }');
    assert.ok(!isUpToDate(at()));
    await assert.rejects(ensureNodeModules({ projectRoot: at() }), { remedy: /npm ping/ });
  }
});
