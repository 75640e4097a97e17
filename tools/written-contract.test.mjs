// Tests that generated files agree with the declarations of web/contract.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { between, staleFiles } from './written-contract.mjs';

test('JSON schemas and the tables of documents agree with web/contract', async () => {
  assert.deepEqual(await staleFiles(), [], 'npm run contract -- --update');
});

test('a table is written between its markers, and nothing else changes', () => {
  const text = 'before\n<!-- a -->\nold\n<!-- end of a -->\nafter';
  assert.equal(between(text, 'a', 'new', 'x.md'), 'before\n<!-- a -->\n\nnew\n\n<!-- end of a -->\nafter');
  assert.throws(
    () => between('before', 'a', 'new', 'x.md'),
    /x\.md: got none, or several; allowed: one <!-- a -->/,
  );
});
