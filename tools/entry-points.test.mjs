// Tests that every entry point of tools/ first checks the version of Node, and exits as
// CONTRIBUTING.md says.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { test } from 'node:test';

import { Linter } from 'eslint';

import { repository } from './processes.mjs';

const { refusal } = createRequire(import.meta.url)('./node-version.cjs');
const read = (path) => readFileSync(join(repository, path), 'utf8');
const modulesIn = (folder) =>
  readdirSync(join(repository, folder)).filter((name) => /(?<!\.test)\.mjs$/.test(name));
const { scripts, engines } = JSON.parse(read('package.json'));

const commands = modulesIn('tools/commands').map((name) => basename(name, '.mjs'));
const shortEntries = ['claims', 'determinism'];
const entryOf = (command) => (command === 'doctor' ? 'tools/setup/doctor.mjs' : `tools/${command}.mjs`);

/** Returns the syntax errors that a parser of this JavaScript version finds in a file. */
function syntaxFaults(path, languageOptions) {
  return new Linter().verify(read(path), [{ languageOptions }], { filename: path.replace(/\.\w+$/, '.js') });
}

test('every command has an entry point, which first checks the version of Node', () => {
  assert.ok(commands.length > 10);
  for (const command of commands) {
    const entry = entryOf(command);
    const launcher = command === 'doctor' ? '../launch.mjs' : './launch.mjs';
    assert.equal(read(entry), `import { launch } from '${launcher}';\n\nlaunch('${command}');\n`, entry);
    assert.match(read(`tools/commands/${command}.mjs`), /^export (async )?function main\(args\)/m, command);
  }
});

test('each short evidence command has an entry point', () => {
  for (const kind of shortEntries)
    assert.equal(
      read(`tools/${kind}.mjs`),
      `import { launch } from './launch.mjs';\n\nlaunch('evidence', '${kind}');\n`,
    );
});

test('nothing else in tools/ is a program, and nothing imports one', () => {
  for (const folder of ['tools', ...readdirSync(join(repository, 'tools')).map((name) => `tools/${name}`)]) {
    if (folder.endsWith('.mjs') || folder.endsWith('.cjs')) continue;
    for (const name of modulesIn(folder)) {
      const text = read(`${folder}/${name}`);
      assert.ok(!/process\.argv\[1\]/.test(text), `${folder}/${name}`);
      for (const [, imported] of text.matchAll(/from '\.\.?\/(?:\w+\/)?([\w-]+)\.mjs'/g)) {
        const isEntry = commands.includes(imported) && !text.includes(`commands/${imported}.mjs`);
        assert.ok(!isEntry, `${folder}/${name} imports ${imported}.mjs, which is a program`);
      }
    }
  }
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
  for (const path of ['tools/launch.mjs', ...[...commands, ...shortEntries].map(entryOf)])
    assert.deepEqual(syntaxFaults(path, ecma2020), [], path);
  assert.deepEqual(
    [...read('tools/launch.mjs').matchAll(/^import.*'(.*)';$/gm)].map(([, name]) => name),
    ['./node-version.cjs'],
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
