// Tests that the bundled page is a production build that contains one loader of the threaded
// engine. Tests that the files that the engine generates for it are committed as they are built.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { test } from 'node:test';

import { generatedForPage } from './builds.mjs';
import { filesKnownToGit } from './file-digests.mjs';
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

test('the files that the engine generates are committed as they are built', async (context) => {
  const paths = Object.values(generatedForPage).map((file) => relative(repository, file));
  if (filesKnownToGit(repository, paths) === undefined) return context.skip('not a Git checkout');
  await commandOutput(process.execPath, ['tools/cli.mjs', 'build', 'engine'], { cwd: repository });
  for (const path of paths) {
    const staged = await commandOutput('git', ['show', `:${path}`], { cwd: repository });
    assert.equal(
      staged,
      readFileSync(join(repository, path), 'utf8'),
      `${path}: commit what the build has written`,
    );
  }
});
