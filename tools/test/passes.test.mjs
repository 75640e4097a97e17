// Tests the record of checks that passed.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { passesIn } from './passes.mjs';

const scratch = mkdtempSync(join(tmpdir(), 'latchscope-passes-'));
after(() => rmSync(scratch, { recursive: true }));

test('a pass is known immediately and in the next run, with its note', () => {
  const folder = join(scratch, 'known');
  const passes = passesIn(folder);
  assert.equal(passes.has('aa'), false);
  passes.add('aa', '3 tests passed\n');
  for (const one of [passes, passesIn(folder)]) {
    assert.equal(one.has('aa'), true);
    assert.equal(one.note('aa'), '3 tests passed\n');
    assert.equal(one.has('bb'), false);
  }
});

test('a pass expires a month after its last use', () => {
  const folder = join(scratch, 'kept');
  passesIn(folder).add('aa');
  passesIn(folder).add('bb');
  const longAgo = new Date(Date.now() - 29 * 24 * 3600 * 1000);
  for (const name of ['aa', 'bb']) utimesSync(join(folder, name), longAgo, longAgo);
  assert.equal(passesIn(folder).has('aa'), true);
  const longerAgo = new Date(Date.now() - 31 * 24 * 3600 * 1000);
  utimesSync(join(folder, 'bb'), longerAgo, longerAgo);
  assert.equal(passesIn(folder).has('bb'), false);
  assert.deepEqual(readdirSync(folder), ['aa']);
});
