// The reproduction table can fail: a figure outside its band is a fault unless the row states the
// miss.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { asMarkdown, asText, bandFaults, evidenceOf, rowOf } from './table.mjs';

const manifest = {
  id: 'undo-read-117533',
  reported: [{ id: 'tps', figure: 'TPS after the UPDATE', unit: 'transactions/s', value: 200 }],
};

/** A row whose figure is `tps`. */
function row(tps, figure) {
  const intervals = [{ t_s: 1, tps }];
  return rowOf(manifest, { figure: 'tps', measure: { kind: 'tps' }, note: '', ...figure }, [{ intervals }]);
}

const BAND = { share: 'a tenth' };
const PREDICTED = { basis: 'predicted', band: BAND };

test('a figure may lie on either end of its band, but not beyond', () => {
  assert.deepEqual(bandFaults([row(180, PREDICTED), row(220, PREDICTED)]), []);
  for (const tps of [179.9, 220.1, 600])
    assert.match(
      bandFaults([row(tps, PREDICTED)])[0],
      /TPS after the UPDATE: here .* band 180 to 220; it is outside/,
    );
});

test('figures that were selected, fitted or counted must lie within their bands, too', () => {
  for (const basis of ['selected', 'fitted', 'counted', 'follows'])
    assert.equal(bandFaults([row(600, { basis, band: BAND })]).length, 1);
});

const MISSES = { why: 'No noise is modelled.', ratio: [0.6, 0.8] };

test('a miss stays in the table, with its reason below; a stated miss that is none is a fault', () => {
  const missed = row(130, { ...PREDICTED, misses: MISSES });
  assert.deepEqual(bandFaults([missed]), []);
  assert.match(
    asMarkdown([missed]),
    /130 \| 0\.65 \| 180 to 220 \| predicted, \*\*missed\*\* \| 1 \|\n\n1\. Missed: No noise is modelled\./,
  );
  assert.match(asText([missed]), /here 130 transactions\/s, outside 180 to 220/);
  assert.match(
    bandFaults([row(200, { ...PREDICTED, misses: MISSES })])[0],
    /it is inside, but "misses" says/,
  );
});

test('rows with the same note share its number, and only a band with a reason needs one', () => {
  const why = 'the report gives a rough range';
  const rows = [
    row(200, { ...PREDICTED, note: 'Cores are chosen.' }),
    row(200, { basis: 'predicted', band: { share: 'a fifth', why } }),
    row(200, { ...PREDICTED, note: 'Cores are chosen.' }),
  ];
  const [table, notes] = asMarkdown(rows).split('\n\n');
  assert.deepEqual(
    table
      .split('\n')
      .slice(2)
      .map((line) => line.split(' | ').at(-1)),
    ['1 |', '2 |', '1 |'],
  );
  assert.equal(notes, `1. Cores are chosen.\n2. Band: a fifth to either side (${why}).`);
});

test('a miss of another size than the known one is a fault', () => {
  for (const tps of [119, 161, 600])
    assert.match(
      bandFaults([row(tps, { ...PREDICTED, misses: MISSES })])[0],
      /ratio .*: a miss, but not the known one, 0\.6 to 0\.8/,
    );
});

test('a figure that is not a number is an error', () => {
  const nowhere = { ...PREDICTED, run: 'original', measure: { kind: 'tps', from_s: 7 } };
  assert.throws(() => row(200, nowhere), /tps, original: got NaN from .*"from_s":7/);
});

test('the median of several samples must lie within the band; least, most and number within it are shown', () => {
  const look = (threads) => ({ stacks: [{ frames: ['wait'], threads }] });
  const results = [{ stack_samples: [look(0), look(47)] }, { stack_samples: [look(2), look(40), look(3)] }];
  const stack = {
    figure: 'tps',
    reported: 47,
    unit: 'threads',
    measure: { kind: 'threads_at_stack', frames: ['wait'] },
    basis: 'predicted',
    band: { one_sample_of: 54 },
    note: '',
  };
  const found = rowOf(manifest, stack, results);
  assert.deepEqual(found.here, 3);
  assert.deepEqual(found.samples, { count: 5, least: 0, most: 47, within_band: 1 });
  assert.match(
    asText([found]),
    /here 3 \(0 to 47 in 5 samples, 1 of them within the band\) threads, outside/,
  );
  assert.equal(bandFaults([found]).length, 1);
});

test('only predictions that are compared with the report are evidence', () => {
  const rows = [
    row(200, PREDICTED),
    row(130, { ...PREDICTED, misses: MISSES }),
    row(200, { basis: 'fitted', band: BAND }),
    row(200, { basis: 'selected', band: BAND }),
    row(200, { basis: 'predicted', not_comparable: true }),
  ];
  assert.deepEqual(evidenceOf(rows), { predictions: 2, within: 1 });
  assert.deepEqual(bandFaults(rows), []);
});
