// Tests that the bundled page is a production build that contains one loader of the threaded
// engine.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { commandOutput, repository } from './processes.mjs';

test('the page is built for production, whatever NODE_ENV is, with one loader of the threaded engine', async () => {
  const env = { ...process.env, NODE_ENV: 'development' };
  await commandOutput(process.execPath, ['tools/cli.mjs', 'build', 'page'], { cwd: repository, env });
  const assets = join(repository, 'dist/assets');
  const scripts = readdirSync(assets).filter((name) => name.endsWith('.js'));
  assert.ok(scripts.length > 0);
  const isForDevelopment = (name) => readFileSync(join(assets, name), 'utf8').includes('React DevTools');
  assert.deepEqual(scripts.filter(isForDevelopment), []);
  const loaders = scripts.filter((name) => name.startsWith('engine-threads'));
  assert.equal(loaders.length, 1, 'the page and its threads load one file');
});
