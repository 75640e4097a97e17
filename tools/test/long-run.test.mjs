import assert from 'node:assert/strict';
import { test } from 'node:test';

import { useScratch } from '../setup/scratch.mjs';
import { lastGreen, store } from './long-run.mjs';

const { at, write } = useScratch();

test('a recorded long run is reported until the next one', () => {
  write('checkout/README.md', '');
  const root = at('checkout');
  assert.equal(lastGreen(root), 'no green run in this checkout yet');
  const run = { date: '2026-11-23', commit: '0123456789', seconds: 7654.3 };
  store(root, run);
  assert.equal(lastGreen(root), 'last green on 2026-11-23, commit 0123456789, 7,654 s');
  store(root, { ...run, seconds: 1 });
  assert.equal(lastGreen(root), 'last green on 2026-11-23, commit 0123456789, 1 s');
});
