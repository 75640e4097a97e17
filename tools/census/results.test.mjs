import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';

import { measurable } from '../../web/analysis/real-servers/experiments.mjs';
import { repository } from '../processes.mjs';
import { readMeasured } from '../real-servers/measured-file.mjs';
import { readManifests } from '../scenario-manifests.mjs';
import { readCensus } from './read.mjs';
import { readCensusResults, resultFaults } from './results.mjs';

const scenarios = join(repository, 'scenarios');
const one = (clients, count) => ({
  experiment: 'page_read',
  server: 'mysql-5.6',
  clients,
  counts: { a: count },
});

test('what the engine counts must be what the file says', () => {
  assert.deepEqual(resultFaults([one(1, 6)], [one(1, 6)]), []);
  assert.deepEqual(resultFaults([one(1, 6)], [one(1, 5)]), [
    'scenarios/census-results.json: page_read, mysql-5.6, 1 clients: {"a":6}, but the engine counts {"a":5}',
  ]);
  assert.match(resultFaults([one(1, 6)], [])[0], /but the engine counts nothing/);
  assert.match(resultFaults([], [one(1, 6)])[0], /1 clients: nothing, but the engine counts/);
});

test('the file has what the engine counts in place of each server that was measured', async () => {
  const results = readCensusResults(scenarios);
  for (const manifest of await readManifests(scenarios)) {
    const { variants } = await readCensus(scenarios, manifest);
    for (const { server, experiments } of await readMeasured(scenarios, manifest.id)) {
      if (!(server.name in variants)) continue;
      for (const { experiment, runs } of experiments.filter((some) => !measurable(some.experiment).isCost))
        for (const { clients } of runs)
          assert.ok(
            results[manifest.id].some(
              (found) =>
                found.experiment === experiment && found.server === server.name && found.clients === clients,
            ),
            `${experiment}, ${server.name}, ${clients} clients: npm run census -- --update`,
          );
    }
  }
});
