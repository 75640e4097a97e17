import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstThatWorks, NotHere } from './choices.mjs';
import { chromiumWays } from './chromium.mjs';
import { cppLibraryWays } from './cpp-libraries.mjs';
import { emscriptenWays } from './emscripten.mjs';
import { clangWays } from './native-toolchain.mjs';
import { SetupError } from './progress.mjs';

const refuses = (name) => ({ name, get: () => Promise.reject(new NotHere(`no ${name}`)) });

test('the first way that works is taken, and named', async () => {
  const works = (name) => ({ name, get: () => Promise.resolve({ path: name }) });
  const result = await firstThatWorks('it', [refuses('a'), works('b'), works('c')], 'remedy');
  assert.deepEqual(result, { path: 'b', source: 'b' });
});

test('when none works, the error tells what was tried in which order, and the remedy', async () => {
  await assert.rejects(firstThatWorks('it', [refuses('a'), refuses('b')], 'do this'), (error) => {
    assert.ok(error instanceof SetupError);
    assert.match(error.message, /1\. a: no a\n {2}2\. b: no b/);
    assert.equal(error.remedy, 'do this');
    return true;
  });
});

test('an error that knows its remedy ends the search', async () => {
  const fatal = { name: 'a', get: () => Promise.reject(new SetupError('disk', 'make room')) };
  await assert.rejects(firstThatWorks('it', [fatal, refuses('b')], 'other'), { remedy: 'make room' });
});

for (const [what, ways] of [
  ['Emscripten', emscriptenWays()],
  ['clang', clangWays()],
  ['the C++ libraries', cppLibraryWays()],
  ['Chromium', chromiumWays()],
]) {
  test(`${what}: what is there comes before the cache, and the cache before every download`, () => {
    const cache = ways.findIndex(({ name }) => name === 'the cache');
    assert.ok(ways.slice(0, cache + 1).every(({ installs }) => !installs));
    assert.ok(ways.slice(cache + 1).every(({ installs }) => installs));
    assert.ok(ways.some(({ name }) => name.startsWith('Debian packages')));
  });
}

test('what Debian signs comes before what the project checks by itself or cannot check', () => {
  for (const ways of [emscriptenWays(), chromiumWays()]) {
    const place = (isLooked) => ways.findIndex(({ name }) => isLooked(name));
    const debian = place((name) => name.startsWith('Debian packages'));
    assert.ok(place((name) => /download|from the internet/.test(name)) > debian);
  }
});
