import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';

import { measurable } from '../../web/contract/real-servers/experiments.mjs';
import { readManifests, SCENARIOS } from '../../tools/scenario-manifests.mjs';
import { readCensus } from '../census/read.mjs';
import { readMeasured } from '../real-servers/measured-file.mjs';
import { differences, readStored, storedFile, storedWith } from './stored-results.mjs';

let folder; // scenarios/
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'latchscope-stored-')), 'scenarios');
  mkdirSync(folder);
});
afterEach(() => rmSync(dirname(folder), { recursive: true }));

const counted = (scenario, count, durationS = 1) => ({
  scenario,
  runs: { original: { spec: { duration_s: durationS } } },
  figures: { count },
});
const textOf = (kind) => readFileSync(join(dirname(folder), storedFile(kind)), 'utf8');
const store = (kind, ...results) =>
  writeFileSync(join(dirname(folder), storedFile(kind)), JSON.stringify(storedWith(folder, kind, results)));
const faultsOf = (kind, ...results) =>
  differences(storedFile(kind), textOf(kind), JSON.stringify(storedWith(folder, kind, results)));

test('a stored file states what wrote it, the engine, the runs and the figures', () => {
  store('census', counted('one', 6));
  const { written_by, engine, scenarios } = JSON.parse(textOf('census'));
  assert.equal(written_by, 'npm run evidence -- census --update');
  assert.match(engine.version, /^\d+\.\d+\.\d+$/);
  assert.deepEqual(scenarios, {
    one: { runs: { original: { spec: { duration_s: 1 } } }, figures: { count: 6 } },
  });
  assert.deepEqual(readStored(folder, 'census'), scenarios);
});

test('results of the engine must equal the stored ones: figures, specs and scenarios', () => {
  store('census', counted('one', 6));
  assert.deepEqual(faultsOf('census', counted('one', 6)), []);
  assert.deepEqual(faultsOf('census', counted('one', 5)), [
    'scenarios/census-results.json: scenarios.one.figures.count: says 6, but the engine gives 5',
  ]);
  assert.match(
    faultsOf('census', counted('one', 6, 2))[0],
    /runs\.original\.spec\.duration_s: says 1, but the engine gives 2$/,
  );
  assert.match(faultsOf('census', counted('two', 1))[0], /scenarios\.two: says nothing, but/);
});

test('scenarios that were not run stay as they are', () => {
  store('census', counted('two', 1), counted('one', 6));
  const { scenarios } = storedWith(folder, 'census', [counted('two', 2)]);
  assert.deepEqual(
    Object.entries(scenarios).map(([id, { figures }]) => [id, figures.count]),
    [
      ['one', 6],
      ['two', 2],
    ],
  );
});

test('of many changes only some are listed', () => {
  const lots = (first) => ({
    scenario: 'one',
    runs: {},
    figures: Array.from({ length: 9 }, (_, i) => first + i),
  });
  store('census', lots(0));
  const faults = faultsOf('census', lots(1));
  assert.equal(faults.length, 6);
  assert.equal(faults[5], 'scenarios/census-results.json: 4 more');
});

test('a missing file and a differing document are faults', () => {
  assert.match(
    differences('new.json', null, '{"a":1}')[0],
    /^new\.json: a: says nothing, but the engine gives 1$/,
  );
  assert.deepEqual(differences('a.md', '| 1   |', '| 1 |'), []);
  assert.deepEqual(differences('a.md', '| 1   |', '| 2 |'), ['a.md: says something else']);
});

test('a file from another engine, by the digests of determinism.json, is a fault', () => {
  const digest = (sha256) => ({ scenario: 'one', runs: {}, figures: { run: sha256 } });
  store('determinism', digest('abc'));
  store('census', counted('one', 6));
  store('determinism', digest('abd'));
  assert.match(
    faultsOf('census', counted('one', 6))[0],
    /^scenarios\/census-results\.json: engine\.digest: says "[0-9a-f]{16}", but the engine gives "[0-9a-f]{16}"$/,
  );
});

test('counts of the engine are stored for each server that was measured', async () => {
  const stored = readStored(SCENARIOS, 'census');
  for (const manifest of await readManifests(SCENARIOS)) {
    const { variants } = await readCensus(SCENARIOS, manifest);
    for (const { server, experiments } of await readMeasured(SCENARIOS, manifest.id)) {
      if (!(server.name in variants)) continue;
      for (const { experiment, runs } of experiments.filter((some) => !measurable(some.experiment).isCost))
        for (const { clients } of runs)
          assert.ok(
            stored[manifest.id].figures.some(
              (found) =>
                found.experiment === experiment && found.server === server.name && found.clients === clients,
            ),
            `${experiment}, ${server.name}, ${clients} clients: npm run census -- --update`,
          );
    }
  }
});
