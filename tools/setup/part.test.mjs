// Tests the order in which the set-up tries to obtain a part.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chromium, firefox } from './browsers.mjs';
import { cmake } from './cmake.mjs';
import { cppLibraries } from './cpp-libraries.mjs';
import { emscripten } from './emscripten.mjs';
import { clang } from './native-toolchain.mjs';
import { part } from './part.mjs';
import { NotHere, SetupError } from './progress.mjs';
import { useScratch } from './scratch.mjs';

const { at, write } = useScratch();

const fails = (name, error) => ({ name, get: () => Promise.reject(error) });
const refuses = (name) => fails(name, new NotHere(`no ${name}`));
const works = (name) => ({ name, get: () => Promise.resolve({ path: name }) });
const describe = (directory) => ({ path: directory });
const builds = (name, build = async () => ({})) => ({ name, recipe: name, describe, build });
const ensure = (facts) =>
  part({ title: 'it', remedy: 'do this', folder: 'it', installs: [], ...facts }).ensure();

test('the first way that works is taken and named; the cache comes after the machine', async () => {
  const found = [refuses('a'), works('b'), works('c')];
  assert.deepEqual(await ensure({ found }), { path: 'b', source: 'b' });
  const installs = [builds('d', () => assert.fail('it was built')), builds('e')];
  write('cache/it/stamp.json', JSON.stringify({ recipe: 'e', facts: {} }));
  const fromCache = { path: at('cache/it'), source: 'the cache (e)' };
  assert.deepEqual(await ensure({ found: [refuses('a')], installs }), fromCache);
});

test('a missing part is installed; if one way fails the next is tried, those outside the cache last', async () => {
  const broken = builds('d', () => Promise.reject(new Error('broken')));
  assert.equal((await ensure({ installs: [broken, builds('e')] })).source, 'the cache (e)');
  const elsewhere = [works('f')];
  assert.deepEqual(await ensure({ folder: 'other', installs: [broken], elsewhere }), {
    path: 'f',
    source: 'f',
  });
});

test('if no way works, the error lists all attempts in order, and the remedy', async () => {
  const inVain = { found: [refuses('a')], elsewhere: [fails('b', new Error('one\ntwo'))] };
  await assert.rejects(ensure(inVain), (error) => {
    assert.ok(error instanceof SetupError);
    assert.match(
      error.message,
      /^it could not be found or installed\..*\n {2}1\. a: no a\n {2}2\. the cache: .*\n {2}3\. b: one\n {5}two$/,
    );
    assert.equal(error.remedy, 'do this');
    return true;
  });
});

test('an error that knows its remedy ends the search', async () => {
  const found = [fails('a', new SetupError('disk', 'make room')), works('b')];
  await assert.rejects(ensure({ found }), { remedy: 'make room' });
});

for (const { title, ways } of [emscripten, clang(), cmake, cppLibraries, chromium, firefox]) {
  test(`${title}: the order is: the machine, the cache, pinned or signed downloads, unverifiable ones`, () => {
    const names = ways.map(({ name }) => name);
    const cache = names.indexOf('the cache');
    assert.deepEqual(
      ways.map(({ installs = false }) => installs),
      ways.map((_, i) => i > cache),
    );
    const debian = names.findIndex((name) => name.startsWith('Debian packages'));
    assert.ok(debian > cache);
    assert.ok(names.every((name, i) => !/download|release from the internet/.test(name) || i > debian));
  });
}
