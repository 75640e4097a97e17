// Tests that the npm package computes the digests of scenarios/determinism.json on this machine, and
// judges a latch. The release workflow runs it on each operating system, in a folder where the
// package is installed: node --test <checkout>/tools/package/digest.mjs
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { after, test } from 'node:test';

const SPEC = 'spec.json';
const RESULT = 'result.json';
after(() => [SPEC, RESULT].forEach((file) => rmSync(file, { force: true })));

/** Runs `npx latchscope` in a shell, because npx is a batch file on Windows. */
function latchscope(args) {
  const command = `npx --no-install latchscope ${args}`;
  const { status, stdout, stderr } = spawnSync(command, { shell: true, encoding: 'utf8' });
  assert.equal(status, 0, `${command}\n${stdout}${stderr}`);
  return stdout;
}

const determinism = new URL('../../scenarios/determinism.json', import.meta.url);
for (const { runs, figures } of Object.values(JSON.parse(readFileSync(determinism, 'utf8')).scenarios))
  for (const [name, { spec }] of Object.entries(runs))
    test(`${name}: the digest of the result`, () => {
      writeFileSync(SPEC, JSON.stringify(spec));
      latchscope(`run --spec ${SPEC} --json ${RESULT}`);
      const result = readFileSync(RESULT, 'utf8').trim();
      assert.equal(createHash('sha256').update(result).digest('hex'), figures[name]);
    });

test('the latch lab judges a right answer', () => {
  const model = 'node_modules/latchscope/lab/exercises/02-test-and-set/model.latch';
  assert.match(latchscope(`lab judge 02-test-and-set ${model}`), /^3 of 3 checks hold\.$/m);
});
