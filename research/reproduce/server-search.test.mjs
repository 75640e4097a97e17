// The search over plausible servers: which servers it tries, and how it reports the results.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';

import { repository } from '../../tools/processes.mjs';
import { readServers } from '../../tools/scenario-manifests.mjs';
import { acceptedRegion, choicesOf, familyFaults, readFamilies, regionAsText } from './server-search.mjs';

const scenarios = join(repository, 'scenarios');
const fields = [
  { id: 'sockets', min: 1, max: 8 },
  { id: 'pause_ps', min: 1000, max: 100000 },
];
const family = (values, ranges) => ({ id: 'some', title: '', source: '', values, ranges });

test('each value is combined with each other one', () => {
  assert.deepEqual(choicesOf({ sockets: [1, 2], pause_ps: [5, 6] }), [
    { sockets: 1, pause_ps: 5 },
    { sockets: 1, pause_ps: 6 },
    { sockets: 2, pause_ps: 5 },
    { sockets: 2, pause_ps: 6 },
  ]);
});

test('the families that come with the project can be read', async () => {
  const families = await readFamilies(scenarios, await readServers(scenarios));
  assert.ok(families.length > 0);
});

for (const [what, families, expected] of [
  [
    'an unknown field',
    [family({ colour: 1 }, {})],
    /values: got "colour"; allowed: one of sockets, pause_ps/,
  ],
  ['a value out of range', [family({}, { sockets: [9] })], /ranges.sockets: got 9; allowed: 1 to 8/],
  [
    'a field that is given twice',
    [family({ sockets: 1 }, { sockets: [1] })],
    /got "sockets"; allowed: a field that is not/,
  ],
  ['an id that stands there twice', [family({}, {}), family({}, {})], /got "some"; allowed: each id once/],
]) {
  test(`a family with ${what} is refused with field, value and what is allowed`, () => {
    assert.match(familyFaults(families, fields)[0], expected);
  });
}

test('the accepted region holds the values that all figures accept', () => {
  const trial = (name, sockets, within) => ({ family: name, chosen: { sockets }, here: [1, 2], within });
  const trials = [
    trial('amd', 1, [true, false]),
    trial('amd', 2, [true, true]),
    trial('intel', 1, [false, true]),
  ];
  assert.deepEqual(acceptedRegion(trials), [
    { family: 'amd', tried: 2, by_figure: [2, 1], by_all: 1, values: { sockets: [2] } },
    { family: 'intel', tried: 1, by_figure: [0, 1], by_all: 0, values: { sockets: [] } },
  ]);
  const figures = [
    { figure: 'tps', run: 'original', band: [1, 2] },
    { figure: 'p99', run: 'original', band: [3, 4] },
  ];
  const text = regionAsText({ figures }, trials);
  assert.match(text, /amd: 2 tried; accepted by figure 1: 2, figure 2: 1, all: 1\n {4}sockets 2/);
  assert.match(text, /intel: 1 tried; accepted by figure 1: 0, figure 2: 1, all: 0$/);
});
