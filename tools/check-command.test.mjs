// Tests `latchscope check` with the native engine, from the user's side.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { buildCommandLine } from './builds.mjs';
import { repository } from './processes.mjs';

const EXAMPLE = 'examples/checks/checks.json';
const folder = mkdtempSync(join(tmpdir(), 'latchscope-checks-'));
const inFolder = (name) => join(folder, name);

before(() => buildCommandLine('virtual'));
after(() => rmSync(folder, { recursive: true, force: true }));

function check(args, input = '') {
  const command = [join(repository, 'tools/cli.mjs'), 'latchscope', 'check', ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, {
    cwd: repository,
    input,
    encoding: 'utf8',
  });
  return { code: status, stdout, stderr };
}

const run = { scenario: 'fil-mutex-69276', threads: 4, duration_s: 0.002 };
const documentOf = (...checks) => JSON.stringify({ version: 1, checks }, null, 2);

test('the example holds, and the guide quotes its file and its output', () => {
  const { code, stdout, stderr } = check([EXAMPLE, '--junit', inFolder('report.xml')]);
  assert.equal(code, 0, stderr);
  assert.equal(stderr, '', 'a pipe has no progress bar');
  const guide = readFileSync(join(repository, 'docs/guide/checks.md'), 'utf8');
  assert.ok(guide.includes(stdout), stdout);
  assert.ok(guide.includes(readFileSync(join(repository, EXAMPLE), 'utf8')));
  const xml = readFileSync(inFolder('report.xml'), 'utf8');
  assert.match(xml, /<testsuite name="examples\/checks\/checks.json" tests="5" failures="0" errors="0">/);
  assert.match(xml, /<testcase name="tps_ratio" classname="#69276: the fixed design has 1.3 times the/);
});

test('the digest of a run is that of scenarios/determinism.json', () => {
  const { scenarios } = JSON.parse(readFileSync(join(repository, 'scenarios/determinism.json'), 'utf8'));
  const { runs, figures } = scenarios['xa-gtid-99638'];
  const [[name, { spec }]] = Object.entries(runs);
  const expect = { sha256: figures[name] };
  const { code, stdout } = check(['-'], documentOf({ name: 'same bytes', run: spec, expect }));
  assert.equal(code, 0, stdout);
});

test('failed and undecided expectations end with exit code 1, with annotations and reports', () => {
  const expect = { tps: { at_most: 1 }, transactions: { at_least: 1 } };
  writeFileSync(inFolder('checks.json'), documentOf({ name: 'too: fast, 100 %', run, expect }));
  const reports = ['--junit', inFolder('failed.xml'), '--json', inFolder('failed.json')];
  const { code, stdout } = check([inFolder('checks.json'), '--github', ...reports]);
  assert.equal(code, 1);
  assert.match(stdout, /^ {2}FAILS {6}tps is [\d,]+; expected at most 1$/m);
  assert.match(stdout, /^ {2}holds {6}transactions is /m);
  assert.match(stdout, /^0 of 1 checks hold\.$/m);
  const annotation = /^::error file=\S+checks.json,line=12,title=too%3A fast%2C 100 %25::tps is /m;
  assert.match(stdout, annotation);
  assert.match(
    readFileSync(inFolder('failed.xml'), 'utf8'),
    /tests="2" failures="1"[^]*<failure message="tps is /,
  );
  const { holds, checks } = JSON.parse(readFileSync(inFolder('failed.json'), 'utf8'));
  assert.equal(holds, false);
  assert.deepEqual(
    checks[0].expectations.map(({ figure, outcome }) => [figure, outcome]),
    [
      ['tps', 'fails'],
      ['transactions', 'holds'],
    ],
  );
});

test('an invalid file ends with exit code 2 and a line for each error', () => {
  const faults = (document) => check(['-'], document);
  const figure = documentOf({ name: 'a', run, expect: { tpz: { at_least: 1 } } });
  assert.match(faults(figure).stderr, /^-:12: checks\[0\]\.expect\.tpz: got .*; allowed: one of tps, /);
  const range = documentOf({ name: 'a', run: { ...run, threads: 0 }, expect: { tps: { at_least: 1 } } });
  const { code, stdout, stderr } = faults(range);
  assert.deepEqual([code, stdout], [2, '']);
  assert.match(stderr, /^-:8: checks\[0\]\.run\.threads: got 0; allowed: an integer from 1 to /);
  const refused = { ...run, threads: 64, parameters: { buffer_pool_mib: 16 } };
  assert.match(
    faults(documentOf({ name: 'a', run: refused, expect: { tps: { at_least: 1 } } })).stderr,
    /^checks\[0\]: parameters\.buffer_pool_mib: got 16; allowed: /,
  );
  assert.match(faults('{\n  "version": 1,\n}').stderr, /^-:3: the file is not JSON: /);
});

test('wrong arguments end before anything runs', () => {
  assert.match(check([]).stderr, /^check: got nothing; allowed: a FILE/);
  assert.match(check(['nosuch.json']).stderr, /^check: got "nosuch.json"; allowed: a readable JSON file/);
  const unwritable = check([EXAMPLE, '--junit', '/nosuch/x.xml']);
  assert.equal(unwritable.code, 4);
  assert.match(unwritable.stderr, /^--junit: got "\/nosuch\/x.xml"; allowed: /);
  assert.match(
    check([EXAMPLE, '--html', 'x']).stderr,
    /^option: got "--html"; allowed: --junit, --json, --github/,
  );
  assert.equal(check(['--help']).code, 0);
});
