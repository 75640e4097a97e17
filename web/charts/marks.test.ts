import { expect, test } from 'vitest';

import { placeLabels } from './marks';

test('labels stand beside their lines while there is room', () => {
  expect(placeLabels([0, 100], [80, 80], 300)).toEqual([
    { lane: 0, is_left: false },
    { lane: 0, is_left: false },
  ]);
});

test('a label that would cover another goes one lane down, and is left out when all are taken', () => {
  expect(placeLabels([0, 20, 40, 60], [90, 90, 90, 90], 300)).toEqual([
    null,
    { lane: 2, is_left: false },
    { lane: 1, is_left: false },
    { lane: 0, is_left: false },
  ]);
});

test('a label at the right edge stands left of its line', () => {
  expect(placeLabels([280], [80], 300)).toEqual([{ lane: 0, is_left: true }]);
});
