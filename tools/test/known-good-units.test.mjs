import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { filesOfRule, keptDigests, unitDigests } from './known-good-units.mjs';

const scratch = mkdtempSync(join(tmpdir(), 'latchscope-units-'));
after(() => rmSync(scratch, { recursive: true }));

test('a rule of a makefile names the files that were read', () => {
  assert.deepEqual(filesOfRule('unit.o: /a/unit.cc \\\n  /a/one.h /usr/in\\ clude/two.h \\\n  /a/$$3.h\n'), [
    '/a/unit.cc',
    '/a/one.h',
    '/usr/in clude/two.h',
    '/a/$3.h',
  ]);
});

function checkoutWith(header) {
  const checkout = mkdtempSync(join(scratch, 'checkout-'));
  writeFileSync(join(checkout, 'unit.cc'), `#include "${checkout}/one.h"\n`);
  writeFileSync(join(checkout, 'one.h'), header);
  const digest = (command = `clang++ -c ${checkout}/unit.cc`, circumstances = ['clang-tidy', 'settings']) =>
    unitDigests({ checkout, circumstances })(command, [join(checkout, 'unit.cc'), join(checkout, 'one.h')]);
  return { checkout, digest };
}

test('the digest of a unit is the same in each checkout, and another one after any change', () => {
  const one = checkoutWith('int one();\n');
  const same = checkoutWith('int one();\n');
  assert.equal(one.digest(), same.digest());
  const others = [
    checkoutWith('int one(); // NOLINT\n').digest(),
    one.digest(`clang++ -O2 -c ${one.checkout}/unit.cc`),
    one.digest(undefined, ['clang-tidy', 'other settings']),
  ];
  assert.equal(new Set([one.digest(), ...others]).size, 4);
});

test('a digest is known to the next run, and forgotten a month after the last one that asked for it', () => {
  const folder = join(scratch, 'kept');
  assert.equal(keptDigests(folder).has('aa'), false);
  keptDigests(folder).add('aa');
  keptDigests(folder).add('bb');
  const long_ago = new Date(Date.now() - 29 * 24 * 3600 * 1000);
  for (const name of ['aa', 'bb']) utimesSync(join(folder, name), long_ago, long_ago);
  assert.equal(keptDigests(folder).has('aa'), true);
  const longer_ago = new Date(Date.now() - 31 * 24 * 3600 * 1000);
  utimesSync(join(folder, 'bb'), longer_ago, longer_ago);
  assert.equal(keptDigests(folder).has('bb'), false);
  assert.deepEqual(readdirSync(folder), ['aa']);
});
