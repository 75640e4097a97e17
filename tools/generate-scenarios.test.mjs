// Tests the C++ tables that are generated from the scenario manifests.
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { digestOfScenarios, generateCpp, MADE_FROM, workloadFile } from './generate-scenarios.mjs';
import { repository } from './processes.mjs';
import { readManifests } from './scenario-manifests.mjs';

const manifests = await readManifests(join(repository, 'scenarios'));

test('the manifests become C++, in their order', () => {
  const source = generateCpp(manifests);
  assert.match(source, /constexpr ScenarioManifest kScenarios\[\]/);
  const [, table] = source.split('kScenarios[]');
  const ids = [...table.matchAll(/^ {4}\{"([a-z0-9-]+)", \d+,/gm)].map(([, id]) => id);
  assert.deepEqual(
    ids,
    manifests.map(({ id }) => id),
  );
});

test('fields that only the page shows are not in the engine', () => {
  const worded = manifests.map((manifest) => ({
    ...manifest,
    in_a_sentence: 'Other words.',
    design_titles: { original: 'Another title' },
  }));
  assert.equal(generateCpp(worded), generateCpp(manifests));
  const renamed = manifests.map((manifest) => ({ ...manifest, title: 'Another title' }));
  assert.notEqual(generateCpp(renamed), generateCpp(manifests));
});

test('the workload file of a scenario has its name', () => {
  assert.equal(workloadFile('fil-mutex-69276'), 'fil_mutex_69276');
});

test('tables are generated again when a manifest, a rule or a workload changes, not when a table does', () => {
  const root = mkdtempSync(join(tmpdir(), 'latchscope-scenarios-'));
  const at = (path) => join(root, path);
  try {
    for (const path of MADE_FROM) cpSync(join(repository, path), at(path), { recursive: true });
    const before = digestOfScenarios(root);
    assert.equal(before, digestOfScenarios());
    writeFileSync(at('wasm-engine/workload/gen/servers.cc'), '');
    assert.equal(digestOfScenarios(root), before);
    const changes = [
      () => writeFileSync(at('scenarios/fil-mutex-69276/manifest.json'), '{}'),
      () => writeFileSync(at('web/contract/manifest.ts'), ''),
      () => rmSync(at('wasm-engine/workload/fil_mutex_69276.cc')),
    ];
    const digests = changes.map((change) => {
      change();
      return digestOfScenarios(root);
    });
    assert.equal(new Set([before, ...digests]).size, 4);
  } finally {
    rmSync(root, { recursive: true });
  }
});
