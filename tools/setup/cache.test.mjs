import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { cacheRoot, findInstalled, install } from './cache.mjs';
import { NotHere } from './choices.mjs';

const DEAD_PID = 2 ** 22 + 1;
const describe = (directory) => ({ tool: join(directory, 'tool') });
let root;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'latchscope-test-'));
  process.env.LATCHSCOPE_CACHE = root;
});

afterEach(() => {
  rmSync(root, { recursive: true });
  delete process.env.LATCHSCOPE_CACHE;
});

function builder() {
  const build = async (directory) => {
    build.runs += 1;
    await new Promise((resolve) => setImmediate(resolve));
    writeFileSync(join(directory, 'tool'), '');
    return { made: true };
  };
  build.runs = 0;
  return build;
}

test('the cache folder follows the environment', () => {
  assert.equal(cacheRoot({ LATCHSCOPE_CACHE: '/a', XDG_CACHE_HOME: '/b' }), '/a');
  assert.equal(cacheRoot({ XDG_CACHE_HOME: '/b', HOME: '/h' }), '/b/latchscope');
  assert.equal(cacheRoot({ HOME: '/h' }), '/h/.cache/latchscope');
});

test('an install is built once, and found afterwards', async () => {
  const build = builder();
  for (let run = 0; run < 2; run += 1) {
    assert.deepEqual(await install('it', 'one', describe, build), { tool: join(root, 'it', 'tool') });
  }
  assert.equal(build.runs, 1);
  assert.equal(findInstalled('it', [['one', describe]]).source, 'the cache (one)');
  assert.deepEqual(readdirSync(root), ['it']);
});

test('two runs at the same time build once', async () => {
  const build = builder();
  await Promise.all([1, 2, 3].map(() => install('it', 'one', describe, build)));
  assert.equal(build.runs, 1);
});

test('another recipe replaces what is there', async () => {
  await install('it', 'one', describe, builder());
  assert.throws(() => findInstalled('it', [['two', describe]]), NotHere);
  const build = builder();
  await install('it', 'two', describe, build);
  assert.equal(build.runs, 1);
  assert.deepEqual(readdirSync(root), ['it']);
});

test('a build that fails leaves nothing, and the old install stays', async () => {
  await install('it', 'one', describe, builder());
  await assert.rejects(
    install('it', 'two', describe, () => Promise.reject(new Error('broken'))),
    /broken/,
  );
  assert.deepEqual(readdirSync(root), ['it']);
  assert.ok(findInstalled('it', [['one', describe]]));
});

test('a lock that was copied along with its folder holds nobody up', async () => {
  symlinkSync(`${process.pid}@${hostname()}@/elsewhere/it.lock`, join(root, 'it.lock'));
  await install('it', 'one', describe, builder());
  assert.deepEqual(readdirSync(root), ['it']);
});

test('what an interrupted run left is cleared away', async () => {
  mkdirSync(join(root, 'it.partial-abc', 'deep'), { recursive: true });
  symlinkSync(`${DEAD_PID}@${hostname()}`, join(root, 'it.lock'));
  await install('it', 'one', describe, builder());
  assert.ok(existsSync(join(root, 'it', 'tool')));
  assert.deepEqual(readdirSync(root), ['it']);
});
