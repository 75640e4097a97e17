// Tests installs into the cache: concurrent, failed and interrupted ones.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { cacheRoot, findInstalled, install } from './cache.mjs';
import { NotHere } from './progress.mjs';
import { useScratch } from './scratch.mjs';

const { at } = useScratch();
const describe = (directory) => ({ tool: join(directory, 'tool') });

/** Returns a recipe that counts how often it is built. */
function recipe(name) {
  const how = { recipe: name, describe, runs: 0 };
  how.build = async (directory) => {
    how.runs += 1;
    await new Promise((resolve) => setImmediate(resolve));
    writeFileSync(join(directory, 'tool'), '');
    return { made: true };
  };
  return how;
}

for (const [environment, root] of [
  [{ LATCHSCOPE_CACHE: '/a', XDG_CACHE_HOME: '/b' }, '/a'],
  [{ XDG_CACHE_HOME: '/b', HOME: '/h' }, '/b/latchscope'],
  [{ HOME: '/h' }, '/h/.cache/latchscope'],
  [{ XDG_CACHE_HOME: 'b', HOME: '/h' }, '/h/.cache/latchscope'],
  [{ LATCHSCOPE_CACHE: '', HOME: '' }, `${userInfo().homedir}/.cache/latchscope`],
  [{ HOME: 'here' }, `${userInfo().homedir}/.cache/latchscope`],
]) {
  test(`the cache folder of ${JSON.stringify(environment)} is ${root}`, () =>
    assert.equal(cacheRoot(environment), root));
}

test('a cache folder that depends on the current folder is refused', () =>
  assert.throws(
    () => cacheRoot({ LATCHSCOPE_CACHE: 'cache', HOME: '/h' }),
    /LATCHSCOPE_CACHE.*cache.*absolute path/,
  ));

test('an install is built once, even by simultaneous runs, and found afterwards', async () => {
  const one = recipe('one');
  const found = { tool: at('cache/it/tool'), source: 'the cache (one)' };
  const runs = await Promise.all([1, 2, 3].map(() => install('it', one)));
  assert.deepEqual([...runs, await install('it', one)], [found, found, found, found]);
  assert.equal(one.runs, 1);
  assert.deepEqual(findInstalled('it', [['one', describe]]), found);
  assert.deepEqual(readdirSync(at('cache')), ['it', 'locks']);
});

test('another recipe replaces what is there', async () => {
  await install('it', recipe('one'));
  assert.throws(() => findInstalled('it', [['two', describe]]), NotHere);
  assert.equal((await install('it', recipe('two'))).source, 'the cache (two)');
  assert.deepEqual(readdirSync(at('cache')), ['it', 'locks']);
});

test('a build that fails leaves nothing, and the old install stays', async () => {
  await install('it', recipe('one'));
  const build = () => Promise.reject(new Error('broken'));
  await assert.rejects(install('it', { ...recipe('two'), build }), /broken/);
  assert.deepEqual(readdirSync(at('cache')), ['it', 'locks']);
  assert.ok(findInstalled('it', [['one', describe]]));
});

test('a killed run leaves no lock, and its half-finished files are removed', async () => {
  const cache = import.meta.resolve('./cache.mjs');
  const script = `
    const { install } = await import('${cache}');
    const build = (directory) => new Promise(() => process.stdout.write(directory));
    await install('it', { recipe: 'one', build });`;
  const run = spawn(process.execPath, ['--input-type=module', '--eval', script]);
  const [partial] = await once(run.stdout, 'data');
  assert.ok(existsSync(String(partial)));
  const next = install('it', recipe('one'));
  run.kill('SIGKILL');
  assert.equal((await next).tool, at('cache/it/tool'));
  assert.deepEqual(readdirSync(at('cache')), ['it', 'locks']);
});
