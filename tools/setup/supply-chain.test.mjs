// Tests that everything the set-up fetches is pinned and documented.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { CPP_LIBRARIES, EMSCRIPTEN, REAL_SERVERS } from './versions.mjs';

const read = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

test('the lock file has the SHA-512 of every npm package, and no address of a registry', () => {
  const packages = Object.entries(JSON.parse(read('package-lock.json')).packages).filter(
    ([path]) => path !== '',
  );
  assert.ok(packages.length > 100);
  for (const [path, { integrity, resolved }] of packages) {
    assert.match(String(integrity), /^sha512-[\w+/]{86}==$/, path);
    assert.equal(resolved, undefined, path);
  }
});

test('every dependency of package.json has an exact version', () => {
  const { dependencies, devDependencies } = JSON.parse(read('package.json'));
  for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies }))
    assert.match(version, /^\d+\.\d+\.\d+$/, name);
});

test('C++ libraries are pinned to commits, and archives to hashes', () => {
  for (const [name, { commit }] of Object.entries(CPP_LIBRARIES))
    assert.match(commit, /^[0-9a-f]{40}$/, name);
  const servers = Object.values(REAL_SERVERS).filter(({ from }) => from !== 'debian');
  assert.equal(servers.length, 3);
  for (const { name, sha256 } of [...Object.values(EMSCRIPTEN.release.archives), ...servers])
    assert.match(sha256, /^[0-9a-f]{64}$/, name);
});

test('docs/explanation/supply-chain.md lists everything that is fetched', () => {
  const table = read('docs/explanation/supply-chain.md')
    .split('\n\n')
    .find((part) => part.startsWith('| what'));
  for (const name of [
    'npm packages',
    'GoogleTest',
    'nlohmann/json',
    'CLI11',
    EMSCRIPTEN.version,
    'Playwright',
    'Boost',
  ])
    assert.ok(table.includes(name), name);
  assert.ok(table.includes(EMSCRIPTEN.debianSuite));
  for (const { suite, name } of Object.values(REAL_SERVERS)) assert.ok(table.includes(suite ?? name), name);
});
