import assert from 'node:assert/strict';
import { test } from 'node:test';

import { readManifests, SCENARIOS } from '../../tools/scenario-manifests.mjs';
import { faultsBeyondSchema, read } from './front-page.mjs';
import { readStored } from './stored-results.mjs';

const manifests = await readManifests(SCENARIOS);

test('every scenario has a run for the start page, and its stored result', async () => {
  for (const manifest of manifests) {
    const { runs } = await read(manifest);
    const { curves } = readStored(SCENARIOS, 'front-page')[manifest.id].figures;
    assert.equal(curves.length, runs.length);
    for (const intervals of curves) assert.ok(intervals.length > 5);
  }
});

test('names that do not exist are refused with what is allowed', async () => {
  const [manifest] = manifests;
  const { runs, figures } = await read(manifest);
  const faultsWith = (change) => faultsBeyondSchema(manifest, figures.here, { runs, figures, ...change });
  assert.deepEqual(faultsWith({}), []);
  assert.match(
    faultsWith({ figures: { ...figures, reported: ['goals'] } })[0],
    /^figures\.reported: got "goals"; allowed: one of block_reads_per_second/,
  );
  assert.match(
    faultsWith({ figures: { ...figures, here: ['Goals'] } })[0],
    /^figures\.here: got "Goals"; allowed: a label of reproduction\.json: one of Ceiling/,
  );
  assert.match(
    faultsWith({ runs: runs.map((run) => ({ ...run, spec: { ...run.spec, design: 'best' } })) })[0],
    /^runs\.spec\.design: got "best"; allowed: one of original, reporters_server, mysql_8_0, fixed/,
  );
});
