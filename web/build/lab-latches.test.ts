import { expect, test } from 'vitest';

import { all_lab_latches, literatureOf } from '../contract/all-lab-latches.ts';
import { loadLatches } from './lab-modules.ts';

test('the page imports the latches and the literature that are declared', async () => {
  const { latches, literature } = await loadLatches();
  expect(all_lab_latches).toEqual(latches);
  expect(Object.keys(literature)).toContain('mcs');
  for (const [latch, claims] of Object.entries(literature)) expect(literatureOf(latch)).toEqual(claims);
});

test('a claim is told of the latch that it names first, with its source', () => {
  expect(literatureOf('mcs')).toContainEqual(
    expect.objectContaining({ claim: 'mcs-moves-few-lines', cited: 'Mellor-Crummey and Scott 1991' }),
  );
  expect(literatureOf('bakery')).toEqual([]);
});
