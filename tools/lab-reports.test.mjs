// Tests the reports of `lab judge` for other programs: JUnit XML and results.json of Gradescope.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { DOMParser } from '@xmldom/xmldom';

import { EXERCISES } from './lab-exercises.mjs';
import { repository } from './processes.mjs';

const scratch = mkdtempSync(join(tmpdir(), 'latchscope-reports-'));
after(() => rmSync(scratch, { recursive: true }));

const ID = '05-ticket';
const NAMES = [
  'no fault, no starvation',
  'with 16 threads: at most 15 overtakers during one wait',
  'with 16 threads: at least 95 percent of acquisitions in order',
  'client, at_end unchanged',
];
const NOT_COMPILED = 'word a;\nvoid enter() { a = 1; }\nvoid exit() { }\n';
const START = join(EXERCISES, ID, 'start.latch');
const MODEL = join(EXERCISES, ID, 'model.latch');

function judge(args, input = '') {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(repository, 'tools/cli.mjs'), 'latchscope', 'lab', 'judge', ID, ...args],
    { encoding: 'utf8', input },
  );
  return { status, stdout, stderr };
}

/** Judges with all formats and returns the content of their files. */
function reported(file, input) {
  const folder = mkdtempSync(join(scratch, 'judged-'));
  const [json, junit, gradescope] = ['a.json', 'a.xml', 'results.json'].map((name) => join(folder, name));
  const options = ['--json', json, '--junit', junit, '--gradescope', gradescope];
  const judged = judge([file, ...options], input);
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.includes('partial')),
    [],
  );
  return {
    ...judged,
    json: existsSync(json) ? JSON.parse(readFileSync(json, 'utf8')) : null,
    suite: new DOMParser()
      .parseFromString(readFileSync(junit, 'utf8'), 'text/xml')
      .getElementsByTagName('testsuite')[0],
    gradescope: JSON.parse(readFileSync(gradescope, 'utf8')),
  };
}

/** Returns the content of each test case: its name, and the element inside with its text. */
const casesOf = (suite) =>
  Array.from(suite.getElementsByTagName('testcase'), (testCase) => {
    assert.equal(testCase.getAttribute('classname'), ID);
    const [inside] = Array.from(testCase.childNodes).filter(({ nodeType }) => nodeType === 1);
    return [testCase.getAttribute('name'), inside.nodeName, inside.textContent];
  });

test('each check is a test of both reports, with its sentence', () => {
  const { status, json, suite, gradescope } = reported(START);
  assert.equal(status, 1);
  const { checks } = json;
  assert.deepEqual(
    casesOf(suite),
    checks.map(({ holds, sentence }, i) => [NAMES[i], holds ? 'system-out' : 'failure', sentence]),
  );
  assert.deepEqual(
    ['name', 'tests', 'failures', 'errors'].map((name) => suite.getAttribute(name)),
    [ID, '4', '2', '0'],
  );
  assert.deepEqual(gradescope, {
    score: 2,
    visibility: 'visible',
    stdout_visibility: 'hidden',
    tests: checks.map(({ holds, sentence }, i) => ({
      name: NAMES[i],
      status: holds ? 'passed' : 'failed',
      score: holds ? 1 : 0,
      max_score: 1,
      output: sentence,
      visibility: 'visible',
    })),
  });
  assert.equal(gradescope.tests[1].status, 'failed');
});

test('a right answer has full score and no failure', () => {
  const { status, suite, gradescope } = reported(MODEL);
  assert.deepEqual([status, gradescope.score, suite.getAttribute('failures')], [0, 4, '0']);
});

for (const [what, file, input, reason] of [
  ['does not compile', '-', NOT_COMPILED, /^-:2:16: a is a word/],
  ['is missing', 'no-such.latch', '', /^FILE: got "no-such.latch"; allowed: a readable text file/],
])
  test(`an attempt that ${what} has score 0, and the reports say why`, () => {
    const { status, stdout, stderr, json, suite, gradescope } = reported(file, input);
    assert.deepEqual([status, stdout, json], [2, '', null]);
    assert.match(stderr, reason);
    assert.deepEqual([gradescope.score, gradescope.output], [0, stderr.trimEnd()]);
    assert.deepEqual(
      gradescope.tests.map(({ status: state, score, output }) => [state, score, output]),
      NAMES.map(() => ['failed', 0, 'Not judged.']),
    );
    assert.deepEqual(
      casesOf(suite),
      NAMES.map((name) => [name, 'error', stderr.trimEnd()]),
    );
    assert.equal(suite.getAttribute('errors'), '4');
  });

test('each report can go to standard output, in place of the text', () => {
  assert.match(judge([MODEL, '--junit', '-']).stdout, /^<\?xml [^]*<\/testsuites>\n$/);
  const { status, stdout } = judge(['-', '--gradescope', '-'], NOT_COMPILED);
  assert.deepEqual([status, JSON.parse(stdout).score], [2, 0]);
});

test('two reports cannot have the same target', () => {
  const file = join(scratch, 'same');
  for (const target of ['-', file]) {
    const { status, stdout, stderr } = judge([MODEL, '--gradescope', target, '--json', target]);
    assert.deepEqual(
      [status, stdout, stderr],
      [2, '', `--gradescope: got ${JSON.stringify(target)}; allowed: not the target of --json\n`],
    );
  }
  assert.ok(!existsSync(file));
});

test('a report that cannot be written is exit code 4', () => {
  for (const option of ['--junit', '--gradescope']) {
    const refused = judge([MODEL, option, scratch]);
    assert.deepEqual([refused.status, refused.stdout], [4, '']);
    assert.equal(
      refused.stderr,
      `${option}: got ${JSON.stringify(scratch)}; allowed: a file, not a folder\n`,
    );
    const failed = judge([MODEL, option, '/dev/full']);
    assert.equal(failed.status, 4);
    assert.match(failed.stderr, new RegExp(`^${option}: /dev/full cannot be written: ENOSPC`));
  }
});
