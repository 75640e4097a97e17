import assert from 'node:assert/strict';
import { test } from 'node:test';

import { drawProgress } from './check-command.mjs';

function drawn(isTTY) {
  let text = '';
  const progress = drawProgress({ isTTY, write: (part) => (text += part) });
  for (const done of [0, 1 / 3, 1 / 3, 1]) progress.show(done);
  progress.clear();
  return text;
}

test('a terminal shows each change once, and the bar goes away', () => {
  const bars = drawn(true).split('\r\u001b[K');
  assert.deepEqual(bars, [
    '',
    '[..............................] 0 %',
    '[##########....................] 33 %',
    '[##############################] 100 %',
    '',
  ]);
});

test('a pipe shows nothing', () => {
  assert.equal(drawn(false), '');
});
