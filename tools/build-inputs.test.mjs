// Tests which changes make the engine out of date.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';

import { digestOfInputs } from './build-inputs.mjs';

const scratch = mkdtempSync(join(tmpdir(), 'latchscope-build-inputs-'));
after(() => rmSync(scratch, { recursive: true }));

const FILES = {
  'package.json': '{ "version": "1.0.0" }',
  'wasm-engine/latch/mutex.cc': '',
  'wasm-engine/workload/gen/scenarios.h': '',
  'scenarios/latches.json': '{}',
  'scenarios/fil-mutex-69276/manifest.json': '{}',
  'scenarios/fil-mutex-69276/story.md': '',
  'tools/setup/index.mjs': '',
  'tools/builds.mjs': '',
  'tools/generate-scenarios.mjs': '',
};

/** Returns the digest of a checkout with these files in place of some others. */
function digestWith(changed = {}) {
  const root = mkdtempSync(join(scratch, 'checkout-'));
  for (const [path, text] of Object.entries({ ...FILES, ...changed })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return digestOfInputs(join(scratch, 'build'), root);
}

test('sources, scenario tables, tools and the version make the engine out of date', () => {
  for (const [path, text] of [
    ['wasm-engine/latch/mutex.cc', 'lock();'],
    ['wasm-engine/latch/new.cc', ''],
    ['scenarios/latches.json', '[]'],
    ['scenarios/fil-mutex-69276/manifest.json', '[]'],
    ['tools/setup/index.mjs', 'install();'],
    ['tools/builds.mjs', 'build();'],
    ['tools/generate-scenarios.mjs', 'generate();'],
    ['package.json', '{ "version": "1.0.1" }'],
  ])
    assert.notEqual(digestWith({ [path]: text }), digestWith(), path);
});

test('packages, stories and generated files do not', () => {
  for (const [path, text] of [
    ['package.json', '{ "version": "1.0.0", "devDependencies": { "vite": "8.0.0" } }'],
    ['scenarios/fil-mutex-69276/story.md', 'Once.'],
    ['wasm-engine/workload/gen/scenarios.h', '// new'],
  ])
    assert.equal(digestWith({ [path]: text }), digestWith(), path);
});
