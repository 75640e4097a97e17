import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';

import { faultsBeyondSchema, readFrontRun } from './front-page-runs.mjs';
import { repository } from '../processes.mjs';
import { readManifests } from '../scenario-manifests.mjs';

const manifests = await readManifests(join(repository, 'scenarios'));

test('every scenario has a run for the start page, with what came out of it', async () => {
  for (const manifest of manifests) {
    const { runs, figures } = await readFrontRun(manifest);
    for (const { intervals } of runs) assert.ok(intervals.length > 5);
    for (const { value } of figures.here) assert.ok(value > 0);
  }
});

test('names that do not exist are refused with what is allowed', async () => {
  const [manifest] = manifests;
  const { runs, figures } = await readFrontRun(manifest);
  const faultsWith = (change) => faultsBeyondSchema(manifest, { runs, figures, ...change });
  assert.deepEqual(faultsWith({}), []);
  assert.match(
    faultsWith({ figures: { ...figures, reported: ['goals'] } })[0],
    /^figures\.reported: got "goals"; allowed: one of block_reads_per_second/,
  );
  assert.match(
    faultsWith({ figures: { ...figures, here: [{ run: 7 }] } })[0],
    /^figures\.here\.run: got 7; allowed: 0 to 1/,
  );
  assert.match(
    faultsWith({ runs: runs.map((run) => ({ ...run, spec: { ...run.spec, design: 'best' } })) })[0],
    /^runs\.spec\.design: got "best"; allowed: one of original, fixed/,
  );
});
