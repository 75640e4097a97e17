// @ts-check
// Tests that the declared work costs follow from the measurements of real servers.
import assert from 'node:assert/strict';
import test from 'node:test';

import { declaredWorkCosts } from '../../tools/engine-counters.mjs';
import { FORMULAS, measuredCost, twoDigits } from './work-costs.mjs';

const declared = Object.fromEntries(declaredWorkCosts().map(({ name, value }) => [name, value]));
const measuredNames = declaredWorkCosts()
  .filter(({ basis }) => basis === 'measured')
  .map(({ name }) => name);

test('each cost marked as measured has a formula, and each formula has its cost', () => {
  assert.deepEqual(measuredNames.toSorted(), Object.keys(FORMULAS).toSorted());
});

for (const name of measuredNames) {
  test(`${name} is the median of the real servers' times`, () => {
    const { ns, of } = measuredCost(name, declared);
    assert.equal(declared[name], twoDigits(ns), `${name}: ${JSON.stringify(of)}`);
  });
}
