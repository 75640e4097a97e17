// Tests that a damaged or outdated build is detected and removed.
import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';

import { isBuilt, recordBuilt, removeDamaged } from './built-programs.mjs';

let folder;

const at = (name) => join(folder, name);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'latchscope-built-'));
  writeFileSync(at('latchscope'), 'a program', { mode: 0o755 });
  writeFileSync(at('engine-virtual.wasm'), 'a module');
  writeFileSync(at('build.ninja'), 'how to build');
  mkdirSync(at('objects'));
  writeFileSync(at('objects/whole.o'), 'code');
  recordBuilt(folder, 'latchscope', 'these inputs');
});

afterEach(() => rmSync(folder, { recursive: true }));

test('a build is current until its inputs or the target change', () => {
  assert.equal(isBuilt(folder, 'latchscope', 'these inputs'), true);
  assert.equal(isBuilt(folder, 'latchscope', 'other inputs'), false);
  assert.equal(isBuilt(folder, 'all', 'these inputs'), false);
  assert.equal(isBuilt(at('nowhere'), 'latchscope', 'these inputs'), false);
  recordBuilt(folder, 'all', 'other inputs');
  assert.equal(isBuilt(folder, 'latchscope', 'these inputs'), true);
});

const damages = {
  'is empty': () => truncateSync(at('latchscope')),
  'is cut off': () => truncateSync(at('latchscope'), 4),
  'has another byte': () => writeFileSync(at('latchscope'), 'A program'),
  'may not be run': () => chmodSync(at('latchscope'), 0o644),
  'is gone': () => rmSync(at('latchscope')),
  'is a module that is empty': () => truncateSync(at('engine-virtual.wasm')),
  'has an empty record': () => truncateSync(at('latchscope-built.json')),
};
for (const [what, damage] of Object.entries(damages))
  test(`a program that ${what} is built again`, () => {
    damage();
    writeFileSync(at('objects/empty.o'), '');
    assert.equal(isBuilt(folder, 'latchscope', 'these inputs'), false);
    assert.equal(removeDamaged(folder), true);
    const left = ['latchscope', 'engine-virtual.wasm', 'objects/empty.o', 'objects/whole.o', 'build.ninja'];
    assert.deepEqual(
      left.filter((name) => existsSync(at(name))),
      ['objects/whole.o', 'build.ninja'],
    );
  });

test('an intact build is not changed', () => {
  assert.equal(removeDamaged(folder), false);
  assert.equal(existsSync(at('latchscope')), true);
});
