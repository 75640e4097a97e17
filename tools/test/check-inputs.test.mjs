// Tests that the inputs of checks are complete.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { checkNames } from '../commands/test.mjs';
import { filesKnownToGit } from '../file-digests.mjs';
import { repository } from '../processes.mjs';
import { digestOfCheck, inputsOfCheck } from './check-inputs.mjs';
import { affectedChecks } from './checks-by-path.mjs';

const scratch = mkdtempSync(join(tmpdir(), 'latchscope-inputs-'));
after(() => rmSync(scratch, { recursive: true }));

test('the digest of a check changes with each file, program and check', () => {
  const digest = ({ check = 'types', text = 'one', others = ['clang 19'] } = {}) => {
    writeFileSync(join(scratch, 'a.ts'), text);
    return digestOfCheck(check, { files: ['a.ts'], others }, scratch);
  };
  assert.equal(digest(), digest());
  const changed = [digest({ check: 'eslint' }), digest({ text: 'two' }), digest({ others: ['clang 20'] })];
  assert.equal(new Set([digest(), ...changed]).size, 4);
});

/** Scenarios reach the engine through generated files. None of these checks reads documents. */
const REACHED_OTHERWISE = /^scenarios\/|\.md$/;

test('a file that can break a check is among its inputs', async () => {
  const paths = filesKnownToGit(repository, ['.']).filter((path) => !REACHED_OTHERWISE.test(path));
  for (const check of checkNames) {
    const inputs = await inputsOfCheck(check);
    if (inputs === null) continue;
    const files = new Set(inputs.files);
    const forgotten = paths.filter((path) => {
      const { checks, later } = affectedChecks([path], checkNames);
      return [...checks, ...later].includes(check) && !files.has(path);
    });
    assert.deepEqual(forgotten, [], check);
  }
});

test('checks that run browsers, servers or real clocks have no known inputs', async () => {
  for (const check of ['tools', 'web', 'page', 'evidence', 'adding-a-bug'])
    assert.equal(await inputsOfCheck(check), null, check);
});
