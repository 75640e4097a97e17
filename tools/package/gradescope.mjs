// Tests the autograder of examples/gradescope with the npm package, in the folders that Gradescope
// has. `npm test -- --only package` makes the package and runs this file.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';

import { EXERCISES } from '../lab-exercises.mjs';
import { repository } from '../processes.mjs';

const EXAMPLE = join(repository, 'examples/gradescope');
const autograder = mkdtempSync(join(tmpdir(), 'latchscope-gradescope-'));
after(() => rmSync(autograder, { recursive: true, force: true }));

const at = (...parts) => join(autograder, ...parts);
const env = { ...process.env, AUTOGRADER: autograder };

function run(script) {
  const { status, stdout, stderr } = spawnSync(script, [], { cwd: autograder, env, encoding: 'utf8' });
  return { status, stdout, stderr };
}

/** Builds the image: Gradescope unpacks the zip file, runs setup.sh and copies run_autograder. */
mkdirSync(at('source'));
const [tarball] = readdirSync(join(repository, 'release')).filter((name) => name.endsWith('.tgz'));
cpSync(join(repository, 'release', tarball), at('source', tarball));
for (const name of ['setup.sh', 'run_autograder']) cpSync(join(EXAMPLE, name), at('source', name));
const built = run(at('source/setup.sh'));
assert.equal(built.status, 0, built.stderr);
cpSync(at('source/run_autograder'), at('run_autograder'));

beforeEach(() => {
  for (const folder of ['submission', 'results']) {
    rmSync(at(folder), { recursive: true, force: true });
    mkdirSync(at(folder));
  }
});

const results = () => JSON.parse(readFileSync(at('results/results.json'), 'utf8'));

for (const [submitted, score] of [
  ['model.latch', 4],
  ['start.latch', 2],
  ['text.md', 0],
])
  test(`${submitted} of the exercise has score ${score}`, () => {
    cpSync(join(EXERCISES, '05-ticket', submitted), at('submission/answer.latch'));
    const { status, stderr } = run(at('run_autograder'));
    assert.equal(status, 0, stderr);
    const { tests, ...report } = results();
    assert.deepEqual([report.score, tests.length], [score, 4]);
    if (submitted === 'text.md') assert.match(report.output, /answer\.latch:1:\d+: /);
  });

test('a submission without the file has score 0 and says which file is missing', () => {
  assert.equal(run(at('run_autograder')).status, 0);
  const { score, output } = results();
  assert.equal(score, 0);
  assert.match(output, /^FILE: got ".*answer\.latch"; allowed: a readable text file/);
});

test('the autograder fails if it has no result', () => {
  rmSync(at('results'), { recursive: true });
  const { status, stderr } = run(at('run_autograder'));
  assert.equal(status, 1);
  assert.match(stderr, /^--gradescope: got ".*"; allowed: a file in an existing folder\n$/);
  assert.ok(!existsSync(at('results')));
});
