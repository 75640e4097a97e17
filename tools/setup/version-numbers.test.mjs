import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareVersions, findVersion, isAccepted } from './version-numbers.mjs';
import { CLANG, EMSCRIPTEN } from './versions.mjs';

test('versions are found in what programs print', () => {
  assert.equal(findVersion('Debian clang version 19.1.7 (3~deb12u1)'), '19.1.7');
  assert.equal(findVersion('cmake version 3.25.1'), '3.25.1');
  assert.equal(findVersion('no number'), null);
});

test('versions compare by number, not by text', () => {
  assert.ok(compareVersions('3.1.6', '3.1.58') < 0);
  assert.ok(compareVersions('4.0.0', '3.1.69') > 0);
  assert.equal(compareVersions('3.22', '3.22.0'), 0);
});

test('what is accepted has both ends', () => {
  const accepted = (range, versions) => versions.filter((version) => isAccepted(version, range));
  assert.deepEqual(accepted(EMSCRIPTEN.accepted, ['3.1.6', '3.1.58', '3.1.69', '6.0.5', '7.0.0', null]), [
    '3.1.58',
    '3.1.69',
    '6.0.5',
  ]);
  assert.deepEqual(accepted(CLANG.accepted, ['14.0.6', '16.0.0', '19.1.7', '30.0.0']), ['16.0.0', '19.1.7']);
});
