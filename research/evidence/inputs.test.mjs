import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';

import { useScratch } from '../../tools/setup/scratch.mjs';
import { digestOfInputs, foundWithTheseInputs } from './inputs.mjs';

const { at, write } = useScratch();

const files = {
  'wasm-engine/latch/event_mutex.cc': 'lock();',
  'scenarios/a/claims.json': '{}',
  'scenarios/more-reports/a.workload': 'workload "a";',
  'tools/engine-runs.mjs': 'run();',
  'web/contract/run-spec.ts': 'export const spec = 1;',
  'web/contract/real-servers/measured-server.mjs': 'agree();',
  'package-lock.json': '{ "packages": { "node_modules/d3-array": { "version": "3.2.4" } } }',
};
const changes = {
  'wasm-engine/latch/event_mutex.cc': 'spin(); lock();',
  'scenarios/a/claims.json': '{ "claims": [] }',
  'scenarios/more-reports/a.workload': 'workload "b";',
  'tools/engine-runs.mjs': 'run(2);',
  'web/contract/run-spec.ts': 'export const spec = 2;',
  'web/contract/real-servers/measured-server.mjs': 'agree(0.02);',
  'package-lock.json': '{ "packages": { "node_modules/d3-array": { "version": "3.2.5" } } }',
};
/** Changes without an effect on results. */
const others = {
  'a comment of the engine': { 'wasm-engine/latch/event_mutex.cc': '// Why.\nlock();  // How.\n' },
  'a comment of a tool': { 'tools/engine-runs.mjs': '/** Runs it. */\nrun();\n' },
  'a test of the engine': { 'wasm-engine/tests/event_mutex_test.cc': 'test();' },
  'a test of a tool': { 'tools/engine-runs.test.mjs': 'test();' },
  'a generated file': { 'web/contract/gen/limits.ts': 'export const limit = 1;' },
  'a document': { 'docs/fidelity.md': 'Figures', 'README.md': 'More figures' },
  'a proof': { 'research/proofs/a.workload': 'workload "a";' },
  'a lesson': { 'scenarios/a/lesson.md': 'Step one' },
  'the form of JSON': { 'scenarios/a/claims.json': '{\n}\n' },
  'a library that only checks': {
    'package-lock.json':
      '{ "packages": { "": {}, "node_modules/d3-array": { "version": "3.2.4" }, "node_modules/eslint": { "dev": true } } }',
  },
};

/** Returns the folder of a repository of these files. */
function repositoryOf(name, content) {
  for (const [path, text] of Object.entries(content)) write(join(name, path), text);
  return at(name);
}

let repositories = 0;
const digestWith = (change) => digestOfInputs(repositoryOf(`r${++repositories}`, { ...files, ...change }));

for (const [path, text] of Object.entries(changes))
  test(`a change of ${path} changes the digest`, () => {
    assert.notEqual(digestWith({ [path]: text }), digestWith({}));
  });

for (const [name, change] of Object.entries(others))
  test(`${name} does not change the digest`, () => assert.equal(digestWith(change), digestWith({})));

test('a new file of the engine changes the digest, and so does a text in another file', () => {
  assert.notEqual(digestWith({ 'wasm-engine/latch/rw_lock.cc': '' }), digestWith({}));
  assert.notEqual(
    digestWith({ 'scenarios/a/claims.json': '[]', 'scenarios/b/claims.json': '{}' }),
    digestWith({ 'scenarios/a/claims.json': '{}', 'scenarios/b/claims.json': '[]' }),
  );
});

test('in a checkout, ignored files do not count, and uncommitted ones do', () => {
  const root = repositoryOf('checkout', { ...files, '.gitignore': 'tools/own-*.mjs\n' });
  assert.equal(spawnSync('git', ['init', '--quiet'], { cwd: root }).status, 0);
  const before = digestOfInputs(root);
  write('checkout/tools/own-notes.mjs', 'mine();');
  assert.equal(digestOfInputs(root), before);
  write('checkout/tools/another-tool.mjs', 'measure();');
  assert.notEqual(digestOfInputs(root), before);
});

test('stored results are valid until an input changes', () => {
  const root = repositoryOf('r', files);
  assert.equal(foundWithTheseInputs(root), null);
  const stored = { inputs: digestOfInputs(root), found: ['claims: 3 hold, 0 do not'] };
  write('r/scenarios/evidence-inputs.json', JSON.stringify(stored));
  assert.deepEqual(foundWithTheseInputs(root), ['claims: 3 hold, 0 do not']);
  write('r/wasm-engine/latch/event_mutex.cc', 'spin(); lock();');
  assert.equal(foundWithTheseInputs(root), null);
});
