// Bands come only from reported values and from the shares that reproduction.json states by hand.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { bandFault, bandInWords, bandOf } from './bands.mjs';

test('a share lies to either side of the reported value, or of a reported range', () => {
  assert.deepEqual(bandOf({ share: 'a tenth' }, 200), [180, 220]);
  assert.deepEqual(bandOf({ share: 'a twentieth' }, [9267, 9667]), [8804, 10150]);
  assert.deepEqual(bandOf({ share: 'three tenths', why: 'x' }, 2214.63), [1550, 2879]);
});

test('a count from one sample may be off by two standard deviations, within the number of threads', () => {
  assert.deepEqual(bandOf({ one_sample_of: 54 }, 27), [19.65, 34.35]);
  assert.deepEqual(bandOf({ one_sample_of: 54 }, 1), [0, 2.981]);
  assert.deepEqual(bandOf({ one_sample_of: 54 }, 53), [51.02, 54]);
});

test('two stated ends are used unchanged; no stated band means none', () => {
  assert.deepEqual(bandOf({ low: 300, high: 400, why: 'over 300' }, 300), [300, 400]);
  assert.equal(bandOf(undefined, 300), null);
  assert.equal(bandInWords(undefined), null);
});

test('a band says where it comes from', () => {
  assert.equal(bandInWords({ share: 'a tenth' }), 'a tenth to either side');
  assert.equal(bandInWords({ share: 'a fifth', why: 'one run' }), 'a fifth to either side: one run');
  assert.equal(bandInWords({ low: 1, high: 1, why: 'the report shows one' }), 'the report shows one');
  assert.match(bandInWords({ one_sample_of: 54 }), /of one sample of 54 threads/);
});

for (const [what, stated, basis, allowed] of [
  ['nothing', {}, 'predicted', /one of share; one_sample_of; low, high/],
  [
    'two things',
    { share: 'a tenth', low: 1, high: 2 },
    'predicted',
    /one of share; one_sample_of; low, high/,
  ],
  ['one end', { low: 1, why: 'x' }, 'predicted', /one of share; one_sample_of; low, high/],
  ['ends the wrong way round', { low: 2, high: 1, why: 'x' }, 'predicted', /the lower end first/],
  ['ends without a reason', { low: 1, high: 2 }, 'predicted', /a why/],
  ['more than a tenth for a prediction, without a reason', { share: 'a fifth' }, 'predicted', /a why/],
  ['a tenth for what was fitted, without a reason', { share: 'a tenth' }, 'fitted', /a why/],
  ['a twentieth for a count, without a reason', { share: 'a twentieth' }, 'counted', /a why/],
])
  test(`a band that says ${what} is refused`, () => {
    assert.match(bandFault(stated, basis), allowed);
  });

test('a band of usual width needs no reason; a wider one is accepted with a reason', () => {
  for (const [stated, basis] of [
    [{ share: 'a tenth' }, 'predicted'],
    [{ share: 'a tenth' }, 'selected'],
    [{ share: 'a twentieth' }, 'follows'],
    [{ share: 'a hundredth' }, 'counted'],
    [{ one_sample_of: 54 }, 'predicted'],
    [{ share: 'three tenths', why: 'the one longest of many' }, 'predicted'],
    [{ low: 1, high: 2, why: 'it says so' }, 'fitted'],
  ])
    assert.equal(bandFault(stated, basis), null);
});
