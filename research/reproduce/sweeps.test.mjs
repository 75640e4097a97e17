// Sweeps over threads: each run with each number of threads, with published figures beside their
// points.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { carryOut, sweepsAsMarkdown, sweepsAsText } from './sweeps.mjs';

const manifest = {
  id: 'undo-read-117533',
  reported: [{ id: 'tps', figure: 'TPS after the UPDATE', unit: 'transactions/s', value: 200 }],
};
const row = { figure: 'tps', measure: { kind: 'tps' }, basis: 'predicted', not_comparable: true, note: '' };
const reproduction = {
  runs: { original: { design: 'original' }, fixed: { design: 'fixed' } },
  figures: [
    { ...row, run: 'original' },
    { ...row, run: 'fixed' },
  ],
};
const sweep = {
  id: 'tps_by_threads',
  title: 'TPS',
  threads: [1, 32],
  rows: [
    { figure: 'tps', run: 'original' },
    { figure: 'tps', run: 'fixed' },
  ],
  published: [{ run: 'original', threads: 32, value: [182, 192], source: 'the report' }],
  note: 'Short.',
};

/** Twice as fast when fixed. */
const run = async (name, { design, threads }) => [
  { intervals: [{ t_s: 1, tps: 100 * threads * (design === 'fixed' ? 2 : 1) }] },
];

test('each row is repeated with each number of threads', async () => {
  const { curves, unit } = await carryOut(manifest, reproduction, sweep, run);
  assert.equal(unit, 'transactions/s');
  assert.deepEqual(
    curves.map(({ run: name, points }) => [name, ...points.map(({ threads, here }) => [threads, here])]),
    [
      ['original', [1, 100], [32, 3200]],
      ['fixed', [1, 200], [32, 6400]],
    ],
  );
});

test('a published figure appears at its own point only, with its source', async () => {
  const done = [await carryOut(manifest, reproduction, sweep, run)];
  assert.match(sweepsAsText(done), /^ +32 {2}3,200 \(published: 182 to 192\), 6,400$/m);
  const markdown = sweepsAsMarkdown(done);
  assert.match(markdown, /^TPS, transactions\/s\. Short\. Published: the report\.$/m);
  assert.match(markdown, /^\| 1 \| 100 \| 200 \|$/m);
});
