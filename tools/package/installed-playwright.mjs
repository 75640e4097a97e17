// Tests latchscope/playwright as its users have it. The package is installed from its tarball into
// an empty folder, beside Playwright, and the template of examples/playwright/ runs there.
// `npm test -- --only package` makes the tarball, finds a browser and runs these tests.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';

import { repository } from '../processes.mjs';
import { installed, tarball } from './installation.mjs';

const EXAMPLE = join(repository, 'examples/playwright');
const SPEC = 'xa-commit.spec.ts';
const OWN_SPEC = 'page-object.spec.ts';
/** Installed by the user. Without a registry, they are those of this repository. */
const PACKAGES = ['@playwright/test', 'playwright', 'playwright-core', '@types/node', 'undici-types'];

const place = installed('playwright-user', [tarball], ['--offline']);
assert.ok(place !== null, 'the tarball cannot be installed offline');
cpSync(EXAMPLE, place, { recursive: true });
cpSync(join(repository, 'tools/package/test-fixtures', OWN_SPEC), join(place, OWN_SPEC));
for (const name of PACKAGES) {
  const link = join(place, 'node_modules', name);
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(join(repository, 'node_modules', name), link);
}

const { CHROMIUM_PATH, CHROMIUM_HEADLESS_SHELL_PATH: executablePath = CHROMIUM_PATH } = process.env;

/** Writes a config with the browser of the project and more options. Returns its name. */
function configWith(name, options = {}) {
  const use = { ...(executablePath === undefined ? {} : { launchOptions: { executablePath } }), ...options };
  const text = `import config from './playwright.config';
export default { ...config, workers: 1, use: { ...config.use, ...${JSON.stringify(use)} } };
`;
  writeFileSync(join(place, name), text);
  return name;
}

/** Runs a program of the repository's packages in the user's folder. Neither has a time limit. */
function run(program, args) {
  const script = join(repository, 'node_modules', program);
  const env = { ...process.env, FORCE_COLOR: '0' };
  return new Promise((resolve) => {
    execFile(process.execPath, [script, ...args], { cwd: place, env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : error.code, output: stripVTControlCharacters(stdout + stderr) });
    });
  });
}

const playwright = (config, spec) =>
  run('@playwright/test/cli.js', ['test', '--reporter=list', '-c', config, spec]);

test('the template and the tests have the types of the package', async () => {
  const options = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2023'];
  const libraries = ['--lib', 'es2023,dom', '--types', 'node'];
  const { output } = await run('typescript/bin/tsc', [
    ...options,
    ...libraries,
    'playwright.config.ts',
    SPEC,
    OWN_SPEC,
  ]);
  assert.equal(output, '');
});

test('the template passes, with the digest of scenarios/determinism.json', async () => {
  const { scenarios } = JSON.parse(readFileSync(join(repository, 'scenarios/determinism.json'), 'utf8'));
  const [digest] = Object.values(scenarios['xa-gtid-99638'].figures);
  const [, inTemplate] = /toMatchDigest\(\s*'(\w+)'/.exec(readFileSync(join(place, SPEC), 'utf8'));
  assert.equal(inTemplate, digest);
  const { code, output } = await playwright(configWith('own.config.ts'), SPEC);
  assert.match(output, /^ {2}2 passed/m);
  assert.equal(code, 0);
});

test('the page object and the matchers work, and their errors are one line', async () => {
  const { code, output } = await playwright(configWith('own.config.ts'), OWN_SPEC);
  assert.equal(code, 0, output);
});

test('a port in use is one line', async () => {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address();
  const { code, output } = await playwright(configWith('busy.config.ts', { latchscopePort: port }), SPEC);
  server.close();
  assert.equal(code, 1);
  const line = `Error: latchscopePort: got ${port}, which another program uses; allowed: a free port`;
  assert.ok(
    output.split('\n').some((one) => one.trim() === line),
    output,
  );
});
