// The documents that repeat what the code declares say the same as the code.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { declaredCounters } from './engine-counters.mjs';
import { repository } from './processes.mjs';

const read = (path) => readFileSync(join(repository, path), 'utf8');

function documentedCounters() {
  const table = read('docs/telemetry.md').split('<!-- counters')[1];
  return [...table.matchAll(/^\|\s*`(\w+)`\s*\|\s*(.*?)\s*\|$/gm)].map(([, name, meaning]) => ({
    name,
    meaning,
  }));
}

test('docs/telemetry.md lists every counter with its meaning', () => {
  assert.ok(declaredCounters().length > 10);
  assert.deepEqual(documentedCounters(), declaredCounters());
});
