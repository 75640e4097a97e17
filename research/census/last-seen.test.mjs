// Tests the statements about the last version in which a bug was observed.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';

import { repository } from '../../tools/processes.mjs';
import { readManifests } from '../../tools/scenario-manifests.mjs';
import { lastSeenFaults, lastSeenInWords, readLastSeen } from './last-seen.mjs';

const scenarios = join(repository, 'scenarios');

test('each bug states the real version in which it was last seen, in agreement with its measured files', async () => {
  for (const manifest of await readManifests(scenarios)) {
    const seen = await readLastSeen(scenarios, manifest);
    assert.ok(seen !== null, `${manifest.id} does not say it`);
    for (const sighting of seen.sightings) assert.match(sighting, /^(MySQL|MariaDB) [\d.]+, \d{4}-\d{2}: /);
  }
});

const example = () => ({
  sightings: [
    {
      bug: 'alive',
      server: 'mysql-9',
      version: '9.7.4',
      month: '2026-11',
      how: '{fil_system} fil_system acquisition, {gap:2} times as long',
      counts: {
        fil_system: { experiment: 'undo_read', figure: 'fil_system per undo record read', count: 1 },
        gap: { experiment: 'undo_read', figure: 'gap', count: 1 },
      },
    },
  ],
});

const measured = {
  server: { name: 'mysql-9', version: '9.7.4-2' },
  measured_at: '2026-11-23',
  experiments: [
    {
      experiment: 'undo_read',
      runs: [
        { clients: 1, counts: { 'fil_system per undo record read': 1.0005, gap: 1.0025 } },
        { clients: 8, counts: { 'fil_system per undo record read': 0.9985, gap: 1.01 } },
      ],
    },
  ],
};

test('a sighting that the measured files support is accepted and put in words', () => {
  assert.deepEqual(lastSeenFaults(example(), [measured]), []);
  assert.deepEqual(lastSeenInWords(example()), {
    label: 'Still in',
    is_alive: true,
    sightings: ['MySQL 9.7.4, 2026-11: one fil_system acquisition, 1.00 times as long'],
    remark: null,
  });
});

const bad = [
  [
    'another server',
    (s) => void (s.server = 'mysql-5.7'),
    /\.server: got "mysql-5.7"; allowed: one of mysql-9/,
  ],
  ['another version', (s) => void (s.version = '9.7.3'), /\.version: got "9.7.3"; allowed: one of 9.7.4/],
  ['another month', (s) => void (s.month = '2025-11'), /\.month: got "2025-11"; allowed: one of 2026-11/],
  [
    'another count',
    (s) => void (s.counts.fil_system.count = 2),
    /\.counts\.fil_system\.count: got 2; allowed: 0.9985 to 1.0005, as counted/,
  ],
  [
    'a figure that was not counted',
    (s) => void (s.counts.gap.figure = 'luck'),
    /\.counts\.gap: got "undo_read, luck"; allowed: a figure of that measured file/,
  ],
  [
    'a literal number',
    (s) => void (s.how += ' 5'),
    /\.how: got .*; allowed: no digits; \{name\} inserts a count/,
  ],
  ['a count that is not declared', (s) => void (s.how += ' {x}'), /\.how: got "\{x\}"; allowed: one of/],
  [
    'a count that the sentence leaves out',
    (s) => void (s.how = 'it {gap}'),
    /\.counts: got "fil_system"; allowed: only counts that the sentence uses/,
  ],
];

for (const [name, change, expected] of bad) {
  test(`a sighting with ${name} is refused by field, value and what is allowed`, () => {
    const lastSeen = example();
    change(lastSeen.sightings[0]);
    const [first] = lastSeenFaults(lastSeen, [measured]);
    assert.match(first, /^last_seen\.sightings\[0\]/);
    assert.match(first, expected);
  });
}
