import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { cacheRoot, findInstalled, install } from './cache.mjs';
import { NotHere } from './progress.mjs';
import { useScratch } from './scratch.mjs';

const DEAD_PID = 2 ** 22 + 1;
const { at } = useScratch();
const describe = (directory) => ({ tool: join(directory, 'tool') });

/** How to install a tool, counting how often it is built. */
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
]) {
  test(`the cache folder of ${JSON.stringify(environment)} is ${root}`, () =>
    assert.equal(cacheRoot(environment), root));
}

test('an install is built once, also for runs at the same time, and found afterwards', async () => {
  const one = recipe('one');
  const found = { tool: at('cache/it/tool'), source: 'the cache (one)' };
  const runs = await Promise.all([1, 2, 3].map(() => install('it', one)));
  assert.deepEqual([...runs, await install('it', one)], [found, found, found, found]);
  assert.equal(one.runs, 1);
  assert.deepEqual(findInstalled('it', [['one', describe]]), found);
  assert.deepEqual(readdirSync(at('cache')), ['it']);
});

test('another recipe replaces what is there', async () => {
  await install('it', recipe('one'));
  assert.throws(() => findInstalled('it', [['two', describe]]), NotHere);
  assert.equal((await install('it', recipe('two'))).source, 'the cache (two)');
  assert.deepEqual(readdirSync(at('cache')), ['it']);
});

test('a build that fails leaves nothing, and the old install stays', async () => {
  await install('it', recipe('one'));
  const build = () => Promise.reject(new Error('broken'));
  await assert.rejects(install('it', { ...recipe('two'), build }), /broken/);
  assert.deepEqual(readdirSync(at('cache')), ['it']);
  assert.ok(findInstalled('it', [['one', describe]]));
});

for (const [what, owner] of [
  ['of a run that was interrupted', `${DEAD_PID}@${hostname()}`],
  ['that was copied along with its folder', `${process.pid}@${hostname()}@/elsewhere/it.lock`],
]) {
  test(`a lock ${what} holds nobody up, and what it left is cleared away`, async () => {
    mkdirSync(at('cache/it.partial-abc/deep'), { recursive: true });
    symlinkSync(owner, at('cache/it.lock'));
    await install('it', recipe('one'));
    assert.ok(existsSync(at('cache/it/tool')));
    assert.deepEqual(readdirSync(at('cache')), ['it']);
  });
}
