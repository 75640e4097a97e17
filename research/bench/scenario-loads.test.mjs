// Tests the loads of the benchmarks.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { scenarioLoads, specOf, tpsFrom } from './scenario-loads.mjs';

test('every parameter and action of a load is in its manifest', async () => {
  for (const { manifest, load } of await scenarioLoads()) {
    const parameters = manifest.parameters.map(({ id }) => id);
    const actions = manifest.actions.map(({ id }) => id);
    for (const id of Object.keys(load.parameters ?? {})) assert.ok(parameters.includes(id), id);
    for (const { action } of load.actions ?? []) assert.ok(actions.includes(action), action);
    assert.ok(load.threads >= manifest.threads.min && load.threads <= manifest.threads.max, manifest.id);
    assert.equal(
      specOf({ manifest, load }, { design: 'fixed', seconds: 2 }).duration_s,
      load.measured_from_s + 2,
    );
  }
});

test('only intervals after the breaking action count, weighted by length', () => {
  const result = {
    totals: { tps: 500 },
    intervals: [
      { t_s: 1.002, tps: 1000 },
      { t_s: 2.001, tps: 100 },
      { t_s: 3, tps: 100 },
      { t_s: 3.5, tps: 200 },
    ],
  };
  assert.equal(tpsFrom(result, 0), 500);
  assert.equal(Math.round(tpsFrom(result, 1)), 120);
  assert.equal(tpsFrom({ totals: { tps: 1 }, intervals: [] }, 1), 0);
});
