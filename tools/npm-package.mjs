// Assembles the npm package and packs it into release/latchscope-<version>.tgz. Everything in it is
// bundled, so it has no dependencies. Only latchscope/playwright needs another package.
import { chmodSync, cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { buildAlone } from './build-folders.mjs';
import { buildNodeCommandLine, buildPage } from './builds.mjs';
import { formatted } from './files.mjs';
import { commandOutput, repository, runCommand } from './processes.mjs';
import { scenarioIds } from './scenario-manifests.mjs';
import { step } from './setup/index.mjs';

const RELEASE = join(repository, 'release');
const inRepository = (...parts) => join(repository, ...parts);

/** The first version that exports all types that playwright.ts uses. */
const PLAYWRIGHT_VERSIONS = '>=1.44.0';
/** Files of each scenario that the command line reads. */
const SCENARIO_FILES = ['manifest.json', 'story.md', 'fidelity.md', 'claims.json', 'source-view.json'];
const COMMON_SCENARIO_FILES = ['servers.json', 'latches.json', 'manifest.schema.json', 'servers.schema.json'];

/**
 * Builds what is missing and makes the package.
 * @returns {Promise<{ tarball: string, unpackedBytes: number, files: number }>}
 */
export async function makeNpmPackage() {
  await buildPage();
  const engine = await buildNodeCommandLine();
  return buildAlone(() => step('making the npm package', () => assembleAndPack(engine)));
}

async function assembleAndPack(engine) {
  const folder = inRepository('build/npm-package');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await bundle(join(folder, 'lib'));
  renameSync(join(folder, 'lib/THIRD-PARTY-NOTICES.txt'), join(folder, 'THIRD-PARTY-NOTICES.txt'));
  for (const file of ['latchscope-cli.mjs', 'latchscope-cli.wasm'])
    cpSync(join(engine, file), join(folder, 'lib', file));
  cpSync(inRepository('web/engine-client/gen/engine-virtual.mjs'), join(folder, 'lib/engine-virtual.mjs'));
  for (const [file, text] of await typesOfPackage()) writeFileSync(join(folder, 'lib', file), text);
  chmodSync(join(folder, 'lib/latchscope-cli.wasm'), 0o644);
  cpSync(inRepository('tools/node-version.cjs'), join(folder, 'lib/node-version.cjs'));
  cpSync(inRepository('tools/package/bin.mjs'), join(folder, 'lib/bin.mjs'));
  for (const name of ['dist', 'lab', 'LICENSE'])
    cpSync(inRepository(name), join(folder, name), { recursive: true });
  cpSync(inRepository('tools/package/README.md'), join(folder, 'README.md'));
  copyScenarios(join(folder, 'scenarios'));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`);
  return check(await pack(folder), folder);
}

async function bundle(outDir) {
  const vite = inRepository('node_modules/vite/bin/vite.js');
  const config = inRepository('tools/package/vite.config.ts');
  await runCommand(process.execPath, [vite, 'build', '-c', config, '--outDir', outDir], {
    env: { ...process.env, NODE_ENV: 'production' },
    quietUnlessFailed: true,
  });
}

/**
 * TypeScript may not be installed when this file is loaded.
 * @returns {Promise<[file: string, text: string][]>}
 */
async function typesOfPackage() {
  const { packageTypes, playwrightTypes } = await import('./package/package-types.mjs');
  const index = await formatted(inRepository('index.d.ts'), packageTypes());
  return [
    ['index.d.ts', index],
    ['playwright.d.ts', await formatted(inRepository('playwright.d.ts'), playwrightTypes(index))],
  ];
}

function copyScenarios(folder) {
  const from = inRepository('scenarios');
  for (const file of COMMON_SCENARIO_FILES) cpSync(join(from, file), join(folder, file));
  for (const id of scenarioIds(from))
    for (const file of SCENARIO_FILES) cpSync(join(from, id, file), join(folder, id, file));
}

/** The manifest of the package. That of the repository is private and has the page's libraries. */
function manifest() {
  const { name, version, description, license, engines } = JSON.parse(
    readFileSync(inRepository('package.json'), 'utf8'),
  );
  return {
    name,
    version,
    description,
    license,
    type: 'module',
    engines,
    bin: { latchscope: 'lib/bin.mjs' },
    exports: {
      '.': { types: './lib/index.d.ts', default: './lib/index.mjs' },
      './playwright': { types: './lib/playwright.d.ts', default: './lib/playwright.mjs' },
      './package.json': './package.json',
    },
    peerDependencies: { '@playwright/test': PLAYWRIGHT_VERSIONS },
    peerDependenciesMeta: { '@playwright/test': { optional: true } },
    files: ['dist', 'lab', 'lib', 'scenarios', 'THIRD-PARTY-NOTICES.txt'],
  };
}

/** @returns {Promise<{ tarball: string, unpackedBytes: number, files: number }>} */
async function pack(folder) {
  mkdirSync(RELEASE, { recursive: true });
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', RELEASE];
  const [{ filename, unpackedSize, entryCount }] = JSON.parse(
    await commandOutput('npm', args, { cwd: folder }),
  );
  return { tarball: join(RELEASE, basename(filename)), unpackedBytes: unpackedSize, files: entryCount };
}

/** Throws if a checker of packages finds a fault. */
async function check(packed, folder) {
  const bin = (name) => inRepository('node_modules/.bin', name);
  await runCommand(bin('publint'), ['run', folder, '--strict'], { quietUnlessFailed: true });
  // CommonJS is left out: Node.js has loaded modules like this one with require() since 20.19.
  const modules = ['--profile', 'esm-only'];
  await runCommand(bin('attw'), [packed.tarball, ...modules], { quietUnlessFailed: true });
  return packed;
}
