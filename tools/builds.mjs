// Builds the WebAssembly engines for the page, the native engine in its flavors, and the page.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

import { buildAlone, emptyBuildFolder, prepareBuildFolder } from './build-folders.mjs';
import { digestOfInputs, engineVersion } from './build-inputs.mjs';
import { isBuilt, recordBuilt, removeDamaged } from './built-programs.mjs';
import { replaceFolder, writeIfChanged } from './files.mjs';
import { generateScenarios } from './generate-scenarios.mjs';
import { commandOutput, repository, runCommand } from './processes.mjs';
import { writeSite } from './site.mjs';
import {
  compilerCacheVariables,
  ensureCMake,
  ensureCppLibraries,
  ensureEmscripten,
  ensureNativeToolchain,
  ensureNodeModules,
  findCompilerCache,
  say,
  step,
} from './setup/index.mjs';

const ALL = 'all';
const engineSource = join(repository, 'wasm-engine');
const pageEngineFolder = join(repository, 'web/engine-client/gen');
const contractFolder = join(repository, 'web/contract/gen');
const pageFolder = join(repository, 'dist');
const siteFolder = join(repository, 'site');
/** All build outputs outside build/. */
const builtFolders = [pageFolder, siteFolder, pageEngineFolder, join(repository, 'wasm-engine/workload/gen')];

/**
 * Native build flavors: the build folder and the CMake options of each. wasm-engine/CMakeLists.txt
 * explains the options.
 */
export const nativeFlavours = {
  native: { folder: 'native-release', options: [] },
  apart: { folder: 'native-apart', options: ['-DLATCHSCOPE_FILES=apart'] },
  virtual: { folder: 'native-virtual', options: ['-DLATCHSCOPE_PLATFORM=virtual'] },
  tsan: { folder: 'native-tsan', options: ['-DLATCHSCOPE_SANITIZE=thread'] },
  asan: { folder: 'native-asan', options: ['-DLATCHSCOPE_SANITIZE=address'] },
  'no-telemetry': { folder: 'native-no-telemetry', options: ['-DLATCHSCOPE_TELEMETRY=OFF'] },
};

const versionOption = () => `-DLATCHSCOPE_VERSION=${engineVersion()}`;

function libraryOptions(libraries) {
  return [
    `-DLATCHSCOPE_JSON_INCLUDE=${libraries.jsonInclude}`,
    `-DLATCHSCOPE_CLI11_INCLUDE=${libraries.cli11Include}`,
    `-DLATCHSCOPE_GOOGLETEST_SOURCE=${libraries.googletestSource}`,
  ];
}

/** Environment variables that make Emscripten's compilers use the compiler cache. */
async function emscriptenThroughCache() {
  const ccache = await findCompilerCache();
  return ccache === null ? {} : { EM_COMPILER_WRAPPER: ccache, ...compilerCacheVariables(repository) };
}

/** Adds the compiler cache to the configuration of a native build. */
async function throughCache({ options, env, ...setUp }) {
  const ccache = await findCompilerCache();
  if (ccache === null) return { options, env, ...setUp };
  return {
    ...setUp,
    options: [...options, `-DCMAKE_CXX_COMPILER_LAUNCHER=${ccache}`],
    env: { ...env, ...compilerCacheVariables(repository) },
  };
}

/**
 * Configures a build folder unless it is already configured. Ninja itself configures again when
 * CMake files or the source list change, in a tenth of the time.
 */
async function configureIfNew(cmake, folder, { options, env, compiler }) {
  const allOptions = [versionOption(), ...options];
  const setUp = { source: engineSource, options: allOptions, programs: [cmake, compiler] };
  const isAsBefore = prepareBuildFolder(folder, setUp);
  if (isAsBefore && existsSync(join(folder, 'build.ninja'))) return;
  await cmakeConfigure(cmake, folder, { options: allOptions, env });
}

async function cmakeConfigure(cmake, folder, { options, env }) {
  await runCommand(cmake, ['-S', engineSource, '-B', folder, ...options], { env, quietUnlessFailed: true });
}

async function cmakeBuild(cmake, folder, { options, env, compiler, target = ALL }) {
  await configureIfNew(cmake, folder, { options, env, compiler });
  if (removeDamaged(folder)) say(`${folder}: a program was damaged after the build; building it again`);
  const jobs = String(availableParallelism());
  await runCommand(cmake, ['--build', folder, '--parallel', jobs, '--target', target], {
    env,
    quietUnlessFailed: true,
  });
  recordBuilt(folder, target, digestOfInputs(folder));
}

/**
 * Patches the Emscripten loader so that its workers load the same file that starts them. Unpatched,
 * Vite would bundle the loader a second time for the workers.
 * @param {string} script
 */
function withWorkersOfItself(script) {
  const patched = script.replaceAll(/new Worker\(new URL\([^)]*\),/g, 'new Worker(import.meta.url,');
  if (patched === script)
    throw new Error('The Emscripten loader creates workers in an unknown way: adapt withWorkersOfItself().');
  return patched;
}

const wasmFolder = (platform) => `build/wasm-${platform}`;

/**
 * Compiles the engine to WebAssembly for one platform.
 * @param {'threads' | 'virtual'} platform
 * @param {{ target?: string }} [options] `target`: the only CMake target to build
 * @returns {Promise<string>} the build folder
 */
export function buildWasm(platform, { target } = {}) {
  return buildAlone(() => compileWasm(platform, target));
}

async function compileWasm(platform, target) {
  await ensureNodeModules();
  const emscripten = await ensureEmscripten();
  const libraries = await ensureCppLibraries();
  const { cmake, ninja } = await ensureCMake();
  await generateScenarios();
  const folder = join(repository, wasmFolder(platform));
  const env = { ...process.env, ...emscripten.env, ...(await emscriptenThroughCache()) };
  const options = [
    '-G',
    'Ninja',
    `-DCMAKE_MAKE_PROGRAM=${ninja}`,
    `-DCMAKE_TOOLCHAIN_FILE=${emscripten.cmakeToolchainFile}`,
    `-DLATCHSCOPE_PLATFORM=${platform}`,
    ...libraryOptions(libraries),
  ];
  await step(`building the engine for the page (WebAssembly, ${platform})`, () =>
    cmakeBuild(cmake, folder, { options, env, compiler: emscripten.emcc, target }),
  );
  return folder;
}

/**
 * Files that the engine's generators print for the page, by generator. They are committed, because
 * tools need them before an engine is built.
 */
export const generatedForPage = {
  layout_gen: join(contractFolder, 'telemetry-layout.ts'),
  latency_gen: join(contractFolder, 'latency-answers.ts'),
  latch_gen: join(contractFolder, 'latch-classes.ts'),
  lab_gen: join(repository, 'web/contract/lab-program.ts'),
  script_gen: join(repository, 'web/contract/workload-operations.ts'),
  script_operations_gen: join(repository, 'web/contract/workload-code-operations.ts'),
  limits_gen: join(repository, 'web/contract/engine-limits.ts'),
  abi_gen: join(contractFolder, 'engine-abi.ts'),
};

/**
 * Compiles both engines of the page and copies them, with the generated files, to where the page
 * imports them.
 */
export function buildEngineForPage() {
  return buildAlone(compileEngineForPage);
}

async function compileEngineForPage() {
  const threads = await buildWasm('threads');
  const virtual = await buildWasm('virtual');
  for (const [generator, file] of Object.entries(generatedForPage)) {
    const text = await commandOutput(process.execPath, [join(threads, `${generator}.cjs`)]);
    writeIfChanged(file, text);
  }
  const script = readFileSync(join(threads, 'engine-threads.mjs'), 'utf8');
  writeIfChanged(join(pageEngineFolder, 'engine-threads.mjs'), withWorkersOfItself(script));
  copyIfChanged(threads, 'engine-threads.wasm');
  copyIfChanged(virtual, 'engine-virtual.mjs');
  copyIfChanged(virtual, 'engine-virtual.wasm');
}

function copyIfChanged(folder, file) {
  writeIfChanged(join(pageEngineFolder, file), readFileSync(join(folder, file)));
}

/**
 * Compiles the native engine and its tests.
 * @param {keyof typeof nativeFlavours} flavour
 * @param {{ target?: string }} [options] `target`: the only CMake target to build
 * @returns {Promise<{ folder: string, toolchain: object }>}
 */
export function buildNative(flavour, { target } = {}) {
  return buildAlone(() => compileNative(flavour, target));
}

async function compileNative(flavour, target) {
  const { folder: name, options } = nativeFlavours[flavour];
  const { folder, toolchain, setUp } = await prepareNative(name, options);
  const build = { ...(await throughCache(setUp)), target };
  await step(`building the native engine (${flavour})`, () => cmakeBuild(toolchain.cmake, folder, build));
  return { folder, toolchain };
}

async function prepareNative(name, options, needs) {
  await ensureNodeModules();
  const toolchain = await ensureNativeToolchain(needs);
  const libraries = await ensureCppLibraries();
  await generateScenarios();
  const setUp = {
    options: [...toolchain.cmakeArgs, ...libraryOptions(libraries), ...options],
    env: { ...process.env, ...toolchain.env },
    compiler: toolchain.cxx,
  };
  return { folder: join(repository, 'build', name), toolchain, setUp };
}

/**
 * Configures a unity build of the native engine for clang-tidy. Compiles nothing.
 * @returns {Promise<{ folder: string, toolchain: object }>}
 */
export function configureForTidy() {
  return buildAlone(async () => {
    // The tests are left out: they are not checked, and files that they share with the command line
    // would be checked twice.
    const options = ['-DLATCHSCOPE_GOOGLETEST_SOURCE='];
    const { folder, toolchain, setUp } = await prepareNative('native-tidy', options, { tidy: true });
    await configureIfNew(toolchain.cmake, folder, setUp);
    // Refresh the list of sources that clang-tidy reads, so that it includes new files.
    await cmakeConfigure(toolchain.cmake, folder, { options: [], env: setUp.env });
    return { folder, toolchain };
  });
}

/**
 * Compiles the command line without the engine's tests.
 * @param {'threads' | 'virtual'} [platform]
 * @returns {Promise<string>} the build folder
 */
export async function buildCommandLine(platform = 'threads') {
  const flavour = platform === 'threads' ? 'native' : 'virtual';
  const target = 'latchscope';
  const present = join(repository, 'build', nativeFlavours[flavour].folder);
  // Checked before taking a lock: a read-only checkout may already have a current build.
  if (isBuilt(present, target, digestOfInputs(present))) return present;
  const { folder } = await buildNative(flavour, { target });
  return folder;
}

/**
 * Compiles the command line for Node.js, which tools/node-engine runs.
 * @returns {Promise<string>} the folder of latchscope-cli.mjs and latchscope-cli.wasm
 */
export async function buildNodeCommandLine() {
  const target = 'latchscope-cli';
  const present = join(repository, wasmFolder('virtual'));
  if (isBuilt(present, target, digestOfInputs(present))) return present;
  return buildWasm('virtual', { target });
}

/** Builds the engines and the page. The page goes to dist/. */
export function buildPage() {
  return buildAlone(async () => {
    await compileEngineForPage();
    await bundlePage();
  });
}

/**
 * Builds the page into dist/ with the engines that are already built. A server that serves dist/
 * meanwhile never sees a half-written page.
 */
export function bundlePage() {
  return buildAlone(async () => {
    await ensureNodeModules();
    const vite = join(repository, 'node_modules/vite/bin/vite.js');
    const folder = join(repository, 'build/page');
    await step('building the page', () =>
      runCommand(process.execPath, [vite, 'build', '--outDir', folder], {
        // If NODE_ENV were set for another project, Vite would build a page that does not work
        // offline.
        env: { ...process.env, NODE_ENV: 'production' },
        quietUnlessFailed: true,
      }),
    );
    replaceFolder(folder, pageFolder);
  });
}

/**
 * Builds the page, and the site for static hosts from it. The site goes to site/.
 * @param {{ url?: string | null }} [options] `url`: the address that the site will have
 */
export async function buildSite({ url } = {}) {
  await buildPage();
  const folder = join(repository, 'build/site');
  writeSite(pageFolder, folder, { url });
  replaceFolder(folder, siteFolder);
}

/** Removes all build outputs. */
export function throwAwayBuilds() {
  return buildAlone(async () => {
    emptyBuildFolder();
    for (const folder of builtFolders) rmSync(folder, { recursive: true, force: true });
  });
}
