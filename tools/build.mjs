// Builds the engine for the page, the native engine in its flavours, and the page.
//   node tools/build.mjs [page|engine|native|tsan|asan|no-telemetry ...]     default: page
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { generateScenarios, writeIfChanged } from './generate-scenarios.mjs';
import { commandOutput, repository, runCommand, UsageError } from './processes.mjs';
import { ScenarioError } from './scenario-manifests.mjs';
import {
  ensureCMake,
  ensureCppLibraries,
  ensureEmscripten,
  ensureNativeToolchain,
  ensureNodeModules,
  reportAndExit,
  step,
} from './setup/index.mjs';

const engineSource = join(repository, 'wasm-engine');
const pageEngineFolder = join(repository, 'web/engine-client/gen');

/** Native builds: what each is called and its CMake options. */
export const nativeFlavours = {
  native: { folder: 'native-release', options: [] },
  virtual: { folder: 'native-virtual', options: ['-DLATCHSCOPE_PLATFORM=virtual'] },
  tsan: { folder: 'native-tsan', options: ['-DLATCHSCOPE_SANITIZE=thread'] },
  asan: { folder: 'native-asan', options: ['-DLATCHSCOPE_SANITIZE=address'] },
  'no-telemetry': { folder: 'native-no-telemetry', options: ['-DLATCHSCOPE_TELEMETRY=OFF'] },
};

function versionOption() {
  const { version } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
  return `-DLATCHSCOPE_VERSION=${version}`;
}

function libraryOptions(libraries) {
  return [
    `-DLATCHSCOPE_JSON_INCLUDE=${libraries.jsonInclude}`,
    `-DLATCHSCOPE_CLI11_INCLUDE=${libraries.cli11Include}`,
    `-DLATCHSCOPE_GOOGLETEST_SOURCE=${libraries.googletestSource}`,
  ];
}

async function cmakeBuild(cmake, folder, { options, env, target = 'all' }) {
  await runCommand(cmake, ['-S', engineSource, '-B', folder, versionOption(), ...options], {
    env,
    quietUnlessFailed: true,
  });
  const jobs = String(availableParallelism());
  await runCommand(cmake, ['--build', folder, '--parallel', jobs, '--target', target], {
    env,
    quietUnlessFailed: true,
  });
}

// Emscripten 3.1.58 to 4.0.4 pass worker options that Vite cannot read at build time (emscripten#22394).
function withStaticWorkerOptions(script) {
  if (/new Worker\([^;]*\{\s*"?type"?:\s*"module"/.test(script)) return script;
  const patched = script.replaceAll(
    /new Worker\((new URL\([^)]*\)),\s*workerOptions\)/g,
    'new Worker($1, { type: "module", name: "em-pthread" })',
  );
  if (patched === script)
    throw new Error('The Emscripten loader has no worker creation that can be made static.');
  return patched;
}

/**
 * Compiles the engine to WebAssembly for one platform.
 * @param {'threads' | 'virtual'} platform
 * @param {{ target?: string }} [options] `target`: a CMake target, to build nothing else
 * @returns {Promise<string>} the build folder
 */
export async function buildWasm(platform, { target } = {}) {
  await ensureNodeModules();
  const emscripten = await ensureEmscripten();
  const libraries = await ensureCppLibraries();
  const { cmake, ninja } = await ensureCMake();
  await generateScenarios();
  const folder = join(repository, `build/wasm-${platform}`);
  const env = { ...process.env, ...emscripten.env };
  const options = [
    '-G',
    'Ninja',
    `-DCMAKE_MAKE_PROGRAM=${ninja}`,
    `-DCMAKE_TOOLCHAIN_FILE=${emscripten.cmakeToolchainFile}`,
    `-DLATCHSCOPE_PLATFORM=${platform}`,
    ...libraryOptions(libraries),
  ];
  await step(`Engine for the page (WebAssembly, ${platform})`, () =>
    cmakeBuild(cmake, folder, { options, env, target }),
  );
  return folder;
}

/** Compiles both engines of the page and puts them, with their telemetry layout, where the page imports them. */
export async function buildEngineForPage() {
  const threads = await buildWasm('threads');
  const virtual = await buildWasm('virtual');
  mkdirSync(pageEngineFolder, { recursive: true });
  const layout = await commandOutput(process.execPath, [join(threads, 'layout_gen.cjs')]);
  writeIfChanged(join(pageEngineFolder, 'telemetry-layout.ts'), layout);
  const script = readFileSync(join(threads, 'engine-threads.mjs'), 'utf8');
  writeIfChanged(join(pageEngineFolder, 'engine-threads.mjs'), withStaticWorkerOptions(script));
  copyFileSync(join(threads, 'engine-threads.wasm'), join(pageEngineFolder, 'engine-threads.wasm'));
  for (const file of ['engine-virtual.mjs', 'engine-virtual.wasm'])
    copyFileSync(join(virtual, file), join(pageEngineFolder, file));
}

/**
 * Compiles the native engine and its tests.
 * @param {keyof typeof nativeFlavours} flavour
 * @param {{ target?: string }} [options] `target`: a CMake target, to build nothing else
 * @returns {Promise<{ folder: string, toolchain: object }>}
 */
export async function buildNative(flavour, { target } = {}) {
  await ensureNodeModules();
  const toolchain = await ensureNativeToolchain();
  const libraries = await ensureCppLibraries();
  await generateScenarios();
  const { folder: name, options } = nativeFlavours[flavour];
  const folder = join(repository, 'build', name);
  const env = { ...process.env, ...toolchain.env };
  const allOptions = [...toolchain.cmakeArgs, ...libraryOptions(libraries), ...options];
  await step(`Native engine (${flavour})`, () =>
    cmakeBuild(toolchain.cmake, folder, { options: allOptions, env, target }),
  );
  return { folder, toolchain };
}

/**
 * Compiles the command line, without the engine's tests.
 * @param {'threads' | 'virtual'} [platform]
 * @returns {Promise<string>} its build folder
 */
export async function buildCommandLine(platform = 'threads') {
  const flavour = platform === 'threads' ? 'native' : 'virtual';
  const { folder } = await buildNative(flavour, { target: 'latchscope' });
  return folder;
}

/** Builds the page into dist/. */
export async function buildPage() {
  await buildEngineForPage();
  const vite = join(repository, 'node_modules/vite/bin/vite.js');
  await step('Page', () => runCommand(process.execPath, [vite, 'build'], { quietUnlessFailed: true }));
}

const targets = {
  page: buildPage,
  engine: buildEngineForPage,
  'wasm-virtual': () => buildWasm('virtual'),
  ...Object.fromEntries(Object.keys(nativeFlavours).map((flavour) => [flavour, () => buildNative(flavour)])),
};

async function main(names) {
  for (const name of names) {
    if (!(name in targets))
      throw new UsageError(`target: got ${name}; allowed: ${Object.keys(targets).join(', ')}`);
  }
  for (const name of names) await targets[name]();
}

/** Ends the process as the kind of error wants: 2 for what the user gave, 1 for set-up. */
export function exitWith(error) {
  if (error instanceof ScenarioError || error instanceof UsageError) {
    console.error(error.message);
    process.exit(2);
  }
  reportAndExit(error);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const names = process.argv.slice(2);
  main(names.length > 0 ? names : ['page']).catch(exitWith);
}
