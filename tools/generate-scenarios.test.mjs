import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';

import { generateCpp, workloadFile } from './generate-scenarios.mjs';
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

test('a scenario is run by the file of its name', () => {
  assert.equal(workloadFile('fil-mutex-69276'), 'fil_mutex_69276');
});
