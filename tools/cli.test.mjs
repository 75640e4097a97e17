// Tests that every npm script and tools/cli.mjs first check the version of Node, and how cli.mjs finds
// a command.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';

import { Linter } from 'eslint';

import { repository } from './processes.mjs';

const { refusal } = createRequire(import.meta.url)('./node-version.cjs');
const read = (path) => readFileSync(join(repository, path), 'utf8');
const { scripts, engines } = JSON.parse(read('package.json'));
const cli = (...args) => spawnSync(process.execPath, ['tools/cli.mjs', ...args], { cwd: repository });

/** Returns the syntax errors that a parser of this JavaScript version finds in a file. */
function syntaxFaults(path, languageOptions) {
  return new Linter().verify(read(path), [{ languageOptions }], { filename: path.replace(/\.\w+$/, '.js') });
}

test('an unknown or missing command is wrong usage, and the message lists the commands', () => {
  for (const [args, got] of [
    [[], 'nothing'],
    [['__proto__', '--fresh'], '"__proto__"'],
    [['../cli'], '"../cli"'],
    [['check-architecture.test'], '"check-architecture.test"'],
  ]) {
    const { status, stderr } = cli(...args);
    assert.equal(status, 2, String(stderr));
    assert.match(String(stderr), /^command: got .*; allowed: attack, bench, build, .*, test\n$/);
    assert.ok(String(stderr).includes(`got ${got};`));
  }
});

test('a command gets its own arguments', () => {
  const { status, stderr } = cli('doctor', '--everything');
  assert.equal(status, 2);
  assert.equal(String(stderr), 'option: got "--everything"; allowed: --all\n');
});

test('every command has a main function', () => {
  const names = readdirSync(join(repository, 'tools/commands')).filter((name) => !name.includes('.test.'));
  assert.ok(names.length > 10);
  for (const name of names)
    assert.match(read(`tools/commands/${name}`), /^export (async )?function main\(args\)/m, name);
});

// npm sends SIGTERM to the shell that it starts. Without `exec`, that shell would die and leave
// Node running.
test('every npm script checks the version of Node first, and signals to npm reach the program', () => {
  for (const [name, script] of Object.entries(scripts)) {
    assert.match(
      script,
      /^(exec node -r \.\/tools\/node-version\.cjs tools\/|node tools\/node-version\.cjs && )/,
      name,
    );
  }
});

test('old versions of Node can read the code that checks the version', () => {
  const ecma5 = { ecmaVersion: 5, sourceType: 'commonjs' };
  assert.deepEqual(syntaxFaults('tools/node-version.cjs', ecma5), []);
  assert.deepEqual(
    [...read('tools/node-version.cjs').matchAll(/require\('(.*)'\)/g)].map(([, name]) => name),
    ['../package.json'],
  );
  const ecma2020 = { ecmaVersion: 2020, sourceType: 'module' };
  assert.deepEqual(syntaxFaults('tools/cli.mjs', ecma2020), []);
  assert.deepEqual(
    [...read('tools/cli.mjs').matchAll(/^import .*'(.*)';$/gm)].map(([, name]) => name),
    ['./node-version.cjs', 'fs'],
  );
});

test('an old version of Node is refused, and the message lists the supported versions', () => {
  for (const version of ['0.10.48', '8.17.0', '18.20.4', '20.18.3', '21.7.3', '22.12.0', '23.11.0'])
    assert.match(refusal(version), new RegExp(`needs Node .*24.* This is Node ${version}\\.$`));
  for (const version of ['20.19.0', '20.20.2', '22.13.0', '24.0.0', '26.1.0'])
    assert.equal(refusal(version), '');
  assert.match(refusal('18.0.0', '^20.19.0 || >=24'), /Node 20 from 20\.19 on, or 24 or later/);
  assert.throws(() => refusal('18.0.0', '20.x'), /engines\.node: got 20\.x; allowed/);
});

test('all npm packages run on the required version of Node', () => {
  const needs = Object.entries(JSON.parse(read('package-lock.json')).packages);
  assert.equal(needs[0][1].engines.node, engines.node);
});
