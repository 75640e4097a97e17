import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { generateCpp, ManifestError, readManifests } from './generate-scenarios.mjs';
import { repository } from './processes.mjs';

const scenarios = join(repository, 'scenarios');
const example = 'fil-mutex-69276';

/** Reads the manifests of a copy of scenarios/ in which `change` has been applied to one manifest. */
async function problemsAfter(change) {
  const folder = mkdtempSync(join(tmpdir(), 'latchscope-manifests-'));
  try {
    cpSync(scenarios, folder, { recursive: true });
    const path = join(folder, example, 'manifest.json');
    const manifest = JSON.parse(readFileSync(path, 'utf8'));
    writeFileSync(path, change(manifest) ?? JSON.stringify(manifest));
    await readManifests(folder);
    return [];
  } catch (error) {
    if (!(error instanceof ManifestError)) throw error;
    return error.problems;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('the manifests of the project fit and become C++', async () => {
  const manifests = await readManifests(scenarios);
  assert.ok(manifests.some((manifest) => manifest.id === example));
  assert.match(generateCpp(manifests), /constexpr ScenarioManifest kScenarios\[\]/);
});

const badManifests = [
  ['is not JSON', () => '{', /is not JSON/],
  ['an unknown field', (m) => void (m.colour = 'red'), /colour: got unknown field; allowed: only the fields/],
  ['a missing field', (m) => void delete m.title, /the field title is required/],
  ['a value of the wrong type', (m) => void (m.bug = 'x'), /bug: got "x"; allowed: of type integer/],
  ['another schema version', (m) => void (m.schema_version = 2), /schema_version: got 2; allowed: 1/],
  [
    'an id that is not the folder',
    (m) => void (m.id = 'other-bug'),
    /id: got "other-bug"; allowed: .*fil-mutex/,
  ],
  [
    'a design with an unknown variant',
    (m) => void (m.designs.fixed.tablespace_lookup = 'best'),
    /designs\.fixed\.tablespace_lookup: got "best"; allowed: global_mutex/,
  ],
  ['a design with an unknown knob', (m) => void (m.designs.fixed.speed = 'x'), /designs\.fixed: got "speed"/],
  [
    'an original that is not the first variant',
    (m) => void (m.designs.original.tablespace_lookup = 'atomic_word'),
    /designs\.original\.tablespace_lookup: .*allowed: the first variant, global_mutex/,
  ],
  [
    'a default out of range',
    (m) => void (m.parameters[0].default = 0),
    /parameters\.tables\.default: got 0; allowed: 1 to 64/,
  ],
  ['the same id twice', (m) => void (m.actions[1].id = m.actions[0].id), /actions\.id: .*unique/],
];

for (const [name, change, expected] of badManifests) {
  test(`a manifest with ${name} is refused with file, field, value and what is allowed`, async () => {
    const problems = await problemsAfter(change);
    assert.equal(problems.length, 1, problems.join('\n'));
    assert.match(problems[0], /^scenarios\/fil-mutex-69276\/manifest\.json: /);
    assert.match(problems[0], expected);
  });
}
