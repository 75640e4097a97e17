// Tests how the check of docs/guide/adding-a-bug.md reads the document.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { addBelow, codeBlocks, DocumentError, linesNotPrinted } from './check-adding-a-bug.mjs';

test('code blocks are found, with the rest of their first line', () => {
  const markdown = 'Text.\n\n```json a/b.json\n{}\n```\n\n```sh\nls\n```\n\n```cpp c.h below X(\nY\n```\n';
  assert.deepEqual(codeBlocks(markdown), [
    { line: 3, info: 'a/b.json', text: '{}\n' },
    { line: 7, info: '', text: 'ls\n' },
    { line: 11, info: 'c.h below X(', text: 'Y\n' },
  ]);
});

test('lines are inserted below the only matching line', () => {
  assert.equal(addBelow('a\nb\nc\n', 'b', 'x\ny\n'), 'a\nb\nx\ny\nc\n');
  assert.throws(
    () => addBelow('a\nc\n', 'b', 'x\n'),
    new DocumentError('0 lines contain "b"; allowed: exactly one'),
  );
  assert.throws(() => addBelow('b\nb\n', 'b', 'x\n'), DocumentError);
});

test('a line counts as printed if a printed line begins with it', () => {
  assert.deepEqual(linesNotPrinted('ok   one', 'ok   one: 7 of 7\n'), []);
  assert.deepEqual(linesNotPrinted('ok   one\nok   two', 'ok   one\nFAIL two\n'), ['ok   two']);
});
