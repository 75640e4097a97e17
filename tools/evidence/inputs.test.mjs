import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';

import { useScratch } from '../setup/scratch.mjs';
import { digestOfInputs, foundWithTheseInputs } from './inputs.mjs';

const { at, write } = useScratch();

const files = {
  'wasm-engine/latch/event_mutex.cc': 'lock',
  'wasm-engine/tests/event_mutex_test.cc': 'test',
  'scenarios/a/claims.json': '{}',
  'tools/engine-runs.mjs': 'run',
  'web/contract/run-spec.ts': 'spec',
  'web/analysis/real-servers/agreement.mjs': 'agreement',
  'docs/fidelity.md': 'Figures',
  'README.md': 'More figures',
  'package-lock.json': '{}',
};

/** Returns the folder of a repository of these files. */
function repositoryOf(name, content) {
  for (const [path, text] of Object.entries(content)) write(join(name, path), text);
  return at(name);
}

let repositories = 0;
const digestWith = (change) => digestOfInputs(repositoryOf(`r${++repositories}`, { ...files, ...change }));

for (const path of Object.keys(files).filter((name) => !name.includes('/tests/')))
  test(`a change of ${path} is a change of the inputs`, () => {
    assert.notEqual(digestWith({ [path]: 'changed' }), digestWith({}));
  });

test('a new file of the engine is a change of the inputs; the place of a text counts, too', () => {
  assert.notEqual(digestWith({ 'wasm-engine/latch/rw_lock.cc': '' }), digestWith({}));
  assert.notEqual(
    digestWith({ 'scenarios/a/claims.json': '', 'scenarios/b/claims.json': '{}' }),
    digestWith({ 'scenarios/b/claims.json': '' }),
  );
});

test('tests and generated files are no inputs', () => {
  const change = { 'wasm-engine/tests/event_mutex_test.cc': 'changed', 'web/contract/gen/limits.ts': 'new' };
  assert.equal(digestWith(change), digestWith({}));
});

test('in a checkout, what git ignores is no input; what is not committed yet is one', () => {
  const root = repositoryOf('checkout', { ...files, '.gitignore': 'tools/own-*.mjs\n' });
  assert.equal(spawnSync('git', ['init', '--quiet'], { cwd: root }).status, 0);
  const before = digestOfInputs(root);
  write('checkout/tools/own-notes.mjs', 'of this checkout alone');
  assert.equal(digestOfInputs(root), before);
  write('checkout/tools/another-tool.mjs', 'measure');
  assert.notEqual(digestOfInputs(root), before);
});

test('what was found counts until an input changes', () => {
  const root = repositoryOf('r', files);
  assert.equal(foundWithTheseInputs(root), null);
  const stored = { inputs: digestOfInputs(root), found: ['claims: 3 hold, 0 do not'] };
  write('r/scenarios/evidence-inputs.json', JSON.stringify(stored));
  assert.deepEqual(foundWithTheseInputs(root), ['claims: 3 hold, 0 do not']);
  write('r/wasm-engine/latch/event_mutex.cc', 'spin, then lock');
  assert.equal(foundWithTheseInputs(root), null);
});
