// Tests which ccache a build uses.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { compilerCacheVariables, findCompilerCache } from './compiler-cache.mjs';
import { useScratch } from './scratch.mjs';

const { at } = useScratch();

/** Makes PATH contain only a ccache of this version; null for none. */
function havingCcache(version) {
  const folder = at(`bin-${version}`);
  mkdirSync(folder);
  if (version !== null)
    writeFileSync(`${folder}/ccache`, `#!/bin/sh\necho ccache version ${version}\n`, { mode: 0o755 });
  process.env.PATH = folder;
}

test('without ccache, builds do not use it', async () => {
  havingCcache(null);
  assert.equal(await findCompilerCache(), null);
});

test('a ccache on the PATH is used', async () => {
  havingCcache('4.7.5');
  assert.equal(await findCompilerCache(), at('bin-4.7.5/ccache'));
});

test('an older ccache, which lacks some variables, is not used', async () => {
  havingCcache('3.7.7');
  assert.equal(await findCompilerCache(), null);
});

test('paths below the repository count as relative, so that another clone reuses compiled objects', () => {
  const { CCACHE_BASEDIR, CCACHE_NOHASHDIR } = compilerCacheVariables('/home/ada/latchscope');
  assert.deepEqual([CCACHE_BASEDIR, CCACHE_NOHASHDIR], ['/home/ada/latchscope', '1']);
});
