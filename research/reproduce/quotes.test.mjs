// A figure quoted in the README or in a lesson is the one in the table.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { withQuotes } from './quotes.mjs';

const rows = [
  { label: 'TPS', here: 182.9, samples: null },
  { label: 'reads', here: 248645, samples: null },
  { label: 'threads', here: 2, samples: { count: 40, least: 0, most: 43 } },
];
const quote = (label, before, after, rest = {}) => ({ in: 'README.md', label, before, after, ...rest });

for (const [what, text, quotes, expected] of [
  ['with the decimals it is quoted with', '| TPS | 1 |', [quote('TPS', '| TPS | ', ' |')], '| TPS | 183 |'],
  ['with thousands', 'some 1 reads', [quote('reads', 'some ', ' reads')], 'some 248,645 reads'],
  ['wherever the line was broken', 'are\n9,999.00 TPS', [quote('TPS', 'are ', ' TPS')], 'are\n182.90 TPS'],
  [
    'in a table however wide its columns',
    '| original    | 7.1   | 182 |',
    [quote('TPS', '| original | ', ' |')],
    '| original    | 182.9   | 182 |',
  ],
  ['behind other numbers', '14; 7; 9', [quote('TPS', '#; ', '; #')], '14; 183; 9'],
  ['in another unit', 'takes 1 ms', [quote('TPS', 'takes ', ' ms', { times: 1000 })], 'takes 182,900 ms'],
  [
    'as the most of several samples',
    'up to 7 of',
    [quote('threads', 'up to ', ' of', { value: 'most' })],
    'up to 43 of',
  ],
])
  test(`a figure is quoted ${what}`, () => {
    assert.equal(withQuotes(text, quotes, rows), expected);
  });

test('a place that does not exist, or exists twice, is named', () => {
  for (const [text, found] of [
    ['nothing here', 0],
    ['some 1 reads, some 2 reads', 2],
  ])
    assert.throws(
      () => withQuotes(text, [quote('reads', 'some ', ' reads')], rows),
      new RegExp(`README.md: "some ": got ${found} such places`),
    );
});
