// Tests the digests of units that passed clang-tidy.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { filesOfRule, unitDigests } from './known-good-units.mjs';

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

test('the digest of a unit is the same in each checkout, and differs after any change', () => {
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
