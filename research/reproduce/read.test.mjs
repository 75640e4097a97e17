// An error in a reproduction.json is reported with field, value and allowed values. The stored
// results have the bands that it states.
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { repository } from '../../tools/processes.mjs';
import { ScenarioError } from '../../tools/scenario-files.mjs';
import { readManifests } from '../../tools/scenario-manifests.mjs';
import { readStored } from '../evidence/stored-results.mjs';
import { bandInWords, bandOf } from './bands.mjs';
import { readReproduction } from './read.mjs';
import { reportedBy } from './table.mjs';

const scenarios = join(repository, 'scenarios');
const manifests = await readManifests(scenarios);
const example = manifests.find(({ id }) => id === 'undo-read-117533');

test('the bands of scenarios/reproduction-results.json are those that reproduction.json states', async () => {
  const stored = readStored(scenarios, 'reproduction');
  for (const manifest of manifests) {
    const { figures: stated } = await readReproduction(scenarios, manifest);
    assert.deepEqual(
      stored[manifest.id].figures.rows.map(({ figure, run, basis, band, band_from }) => ({
        figure,
        run,
        basis,
        band,
        band_from,
      })),
      stated.map((row) => ({
        figure: row.figure,
        run: row.run,
        basis: row.basis,
        band: bandOf(row.band, reportedBy(manifest, row)),
        band_from: bandInWords(row.band),
      })),
      manifest.id,
    );
  }
});

async function problemsAfter(change) {
  const folder = mkdtempSync(join(tmpdir(), 'latchscope-reproduction-'));
  try {
    mkdirSync(join(folder, example.id));
    const path = join(folder, example.id, 'reproduction.json');
    cpSync(join(scenarios, example.id, 'reproduction.json'), path);
    const reproduction = JSON.parse(readFileSync(path, 'utf8'));
    change(reproduction);
    writeFileSync(path, JSON.stringify(reproduction));
    await readReproduction(folder, example);
    return '';
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error;
    return error.message;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('the present reproduction.json files have no faults', async () => {
  assert.equal(await problemsAfter(() => {}), '');
});

for (const [what, change, expected] of [
  [
    'an unknown field',
    ({ figures }) => (figures[0].colour = 1),
    /figures\[0\]\.colour: got 1; allowed: one of figure, label/,
  ],
  [
    'an unknown figure',
    ({ figures }) => (figures[0].figure = 'speed'),
    /figures\[0\]\.figure: got "speed"; allowed: one of tps_before_update/,
  ],
  [
    'an unknown run',
    ({ figures }) => (figures[0].run = 'fastest'),
    /figures\[0\]\.run: got "fastest"; allowed: one of original/,
  ],
  [
    'a band beside "unreported"',
    ({ figures }) => (figures[0].unreported = true),
    /figures\[0\]: got \["band","unreported"\]; allowed: exactly one of band, not_comparable, unreported/,
  ],
  [
    'nothing that says how a row is held',
    ({ figures }) => delete figures[0].band,
    /figures\[0\]: got \[\]; allowed: exactly one of/,
  ],
  [
    'a band that is wider than usual and does not say why',
    ({ figures }) => (figures[0].band = { share: 'three tenths' }),
    /figures\[0\]\.band: got \{"share":"three tenths"\}; allowed: a why/,
  ],
  [
    'a share that is none',
    ({ figures }) => (figures[0].band = { share: 'half', why: 'because' }),
    /figures\[0\]\.band\.share: got "half"; allowed: one of a hundredth/,
  ],
  [
    'an unknown measure',
    ({ figures }) => (figures[0].measure = { kind: 'speed' }),
    /figures\[0\]\.measure\.kind: got "speed"; allowed: one of tps,/,
  ],
  [
    'a measure with a field that it does not know',
    ({ figures }) => (figures[0].measure.until_s = 1),
    /figures\[0\]\.measure: got "until_s"; allowed: one of from_s, to_s/,
  ],
  [
    'a measure without what it needs',
    ({ figures }) => (figures[0].measure = { kind: 'counter' }),
    /figures\[0\]\.measure\.counter: got nothing; allowed: a value/,
  ],
  [
    'a miss that does not say how far it is off',
    ({ figures }) => (figures[0].misses = { why: 'x' }),
    /figures\[0\]\.misses\.ratio: got nothing; allowed: a pair of numbers/,
  ],
  [
    'two rows of one label',
    ({ figures }) => figures.push(structuredClone(figures[0])),
    /figures: got "TPS before the UPDATE"; allowed: each label once/,
  ],
  [
    'a sweep over a row that is none',
    ({ sweeps }) => (sweeps[0].rows[0].run = 'mariadb'),
    /sweeps\.tps_by_threads\.rows: got "tps_after_update, mariadb"; allowed: one of/,
  ],
  [
    'a published point without its reason or source',
    (reproduction) => (reproduction.not_held = [{ figure: '1' }]),
    /not_held\[0\]\.source: got nothing[^]*not_held\[0\]\.why: got nothing/,
  ],
])
  test(`${what} is refused`, async () => {
    assert.match(await problemsAfter(change), expected);
  });
