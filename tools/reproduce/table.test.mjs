// The reproduction table can fail: a figure outside its band is a fault unless the row owns up to it.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { asMarkdown, asText, bandFaults, evidenceOf, rowOf } from './table.mjs';

const manifest = {
  id: 'undo-read-117533',
  reported: [{ id: 'tps', figure: 'TPS after the UPDATE', unit: 'transactions/s', value: 200 }],
};

/** A row whose figure comes out as `tps`. */
function row(tps, figure) {
  const intervals = [{ t_s: 1, tps }];
  return rowOf(manifest, { figure: 'tps', measure: { kind: 'tps' }, note: '', ...figure }, [{ intervals }]);
}

const PREDICTED = { basis: 'predicted', band: [180, 220] };

test('a figure may lie on either end of its band, and nowhere beyond', () => {
  assert.deepEqual(bandFaults([row(180, PREDICTED), row(220, PREDICTED)]), []);
  for (const tps of [179.9, 220.1, 600])
    assert.match(
      bandFaults([row(tps, PREDICTED)])[0],
      /TPS after the UPDATE: here .* band 180 to 220; it is outside/,
    );
});

test('what was fitted or counted has to come out, too', () => {
  for (const basis of ['fitted', 'counted', 'follows'])
    assert.equal(bandFaults([row(600, { basis, band: [180, 220] })]).length, 1);
});

test('a miss stays in the table, says why, and is withdrawn once it is none', () => {
  const missed = row(130, { ...PREDICTED, misses: 'No noise is modelled.' });
  assert.deepEqual(bandFaults([missed]), []);
  assert.match(
    asMarkdown([missed]),
    /130 \| 0\.65 \| 180 to 220 \| predicted, \*\*missed\*\* \| Missed: No noise is modelled\./,
  );
  assert.match(asText([missed]), /here 130 transactions\/s, outside 180 to 220/);
  assert.match(
    bandFaults([row(200, { ...PREDICTED, misses: 'Not so.' })])[0],
    /it is inside, but "misses" says/,
  );
});

test('only predictions that are held against the report are evidence', () => {
  const rows = [
    row(200, PREDICTED),
    row(130, { ...PREDICTED, misses: 'Why.' }),
    row(200, { basis: 'fitted', band: [180, 220] }),
    row(200, { basis: 'predicted', not_comparable: true }),
  ];
  assert.deepEqual(evidenceOf(rows), { predictions: 2, within: 1 });
  assert.deepEqual(bandFaults(rows), []);
});
