// Tests which checks the changed files select.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';

import { repository } from '../processes.mjs';
import { checkNames } from '../commands/test.mjs';
import { affectedChecks, checksByPath, filesOf } from './checks-by-path.mjs';

const affected = (...paths) => affectedChecks(paths, checkNames);

test('every file of the repository matches the table, and the table names only existing checks', () => {
  const tracked = execFileSync('git', ['ls-files'], { cwd: repository, encoding: 'utf8' }).split('\n');
  const unknown = tracked.filter((path) => path && !checksByPath.some((row) => row.path.test(path)));
  assert.deepEqual(unknown, []);
  for (const { path, checks, later = [] } of checksByPath)
    for (const name of [...checks, ...later]) assert.ok(checkNames.includes(name), `${path}: ${name}`);
});

test('every row matches some file, and some file affects every check', () => {
  const tracked = execFileSync('git', ['ls-files'], { cwd: repository, encoding: 'utf8' }).split('\n');
  for (const { path } of checksByPath)
    assert.ok(
      tracked.some((file) => path.test(file)),
      String(path),
    );
  const named = new Set([
    'prettier',
    'text',
    ...checksByPath.flatMap(({ checks, later = [] }) => [...checks, ...later]),
  ]);
  assert.deepEqual(
    checkNames.filter((name) => !named.has(name)),
    [],
  );
});

test('a file of the page selects the checks that take seconds, and names the browser', () => {
  assert.deepEqual(affected('web/charts/lanes.ts'), {
    checks: ['architecture', 'prettier', 'text', 'types', 'eslint', 'web'],
    later: ['page', 'package'],
  });
});

test('a browser test selects itself', () => {
  assert.deepEqual(affected('e2e/run.spec.ts'), {
    checks: ['prettier', 'text', 'types', 'eslint', 'page'],
    later: [],
  });
});

test('a file of the engine selects its tests, and names every check that runs the engine', () => {
  const { checks, later } = affected('wasm-engine/latch/rw_lock.cc');
  assert.deepEqual(checks, [
    'architecture',
    'prettier',
    'text',
    'clang-format',
    'tools',
    'engine',
    'engine-virtual',
  ]);
  assert.ok(later.includes('engine-tsan') && later.includes('page'));
});

test('a check that several files select runs once, in the usual order', () => {
  const { checks } = affected('docs/fidelity.md', 'tools/ports.mjs', 'web/session/log.ts');
  assert.deepEqual(checks, ['architecture', 'prettier', 'text', 'types', 'eslint', 'tools', 'web']);
});

test('an unknown file selects every check; no file selects none', () => {
  assert.deepEqual(
    affected('new-folder/file.xyz').later,
    checkNames.filter((name) => !['prettier', 'text'].includes(name)),
  );
  assert.deepEqual(affected(), { checks: [], later: [] });
});

test('a check reads the changed files of its kind, or all of them if its rules have changed', () => {
  const paths = ['web/a.ts', 'web/styles/b.css', 'docs/c.md', 'e2e/d.spec.ts'];
  assert.deepEqual(filesOf('eslint', paths), ['web/a.ts', 'e2e/d.spec.ts']);
  assert.deepEqual(filesOf('web', paths), ['web/a.ts', 'web/styles/b.css']);
  assert.deepEqual(filesOf('prettier', paths), paths);
  assert.equal(filesOf('eslint', ['eslint.config.js', ...paths]), 'all');
  assert.equal(filesOf('web', ['scenarios/servers.json']), 'all');
});
