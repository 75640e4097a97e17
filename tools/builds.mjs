// Builds the engine for the page, the native engine in its flavours, and the page.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

import { buildAlone, digestOfSetUp, emptyBuildFolder, prepareBuildFolder } from './build-folders.mjs';
import { isBuilt, recordBuilt, removeDamaged } from './built-programs.mjs';
import { digestOfFiles, filesBelow } from './file-digests.mjs';
import { replaceFolder, writeIfChanged } from './files.mjs';
import { generateScenarios } from './generate-scenarios.mjs';
import { commandOutput, repository, runCommand } from './processes.mjs';
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
/** The files through which the engine tells the page its ABI, telemetry layout and limits. */
const contractFolder = join(repository, 'web/contract/gen');
const pageFolder = join(repository, 'dist');
/** Everything that a build makes outside build/. */
const builtFolders = [
  pageFolder,
  pageEngineFolder,
  contractFolder,
  join(repository, 'wasm-engine/workload/gen'),
];

/** Native builds: the name of each and its CMake options, which wasm-engine/CMakeLists.txt explains. */
export const nativeFlavours = {
  native: { folder: 'native-release', options: [] },
  apart: { folder: 'native-apart', options: ['-DLATCHSCOPE_FILES=apart'] },
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

/** Variables for Emscripten's compilers. */
async function emscriptenThroughCache() {
  const ccache = await findCompilerCache();
  return ccache === null ? {} : { EM_COMPILER_WRAPPER: ccache, ...compilerCacheVariables(repository) };
}

/** The set-up of a native build, with what makes its compiler ask the cache. */
async function throughCache({ options, env, ...setUp }) {
  const ccache = await findCompilerCache();
  if (ccache === null) return { options, env, ...setUp };
  return {
    ...setUp,
    options: [...options, `-DCMAKE_CXX_COMPILER_LAUNCHER=${ccache}`],
    env: { ...env, ...compilerCacheVariables(repository) },
  };
}

/** Ninja configures again by itself, after a change of CMake's files or of the list of sources: in a tenth of the time. */
async function configureIfNew(cmake, folder, { options, env, compiler }) {
  const all_options = [versionOption(), ...options];
  const setUp = { source: engineSource, options: all_options, programs: [cmake, compiler] };
  const isAsBefore = prepareBuildFolder(folder, setUp);
  if (isAsBefore && existsSync(join(folder, 'build.ninja'))) return;
  await cmakeConfigure(cmake, folder, { options: all_options, env });
}

async function cmakeConfigure(cmake, folder, { options, env }) {
  await runCommand(cmake, ['-S', engineSource, '-B', folder, ...options], { env, quietUnlessFailed: true });
}

async function cmakeBuild(cmake, folder, { options, env, compiler, target = ALL }) {
  await configureIfNew(cmake, folder, { options, env, compiler });
  if (removeDamaged(folder)) say(`${folder}: a program is not as it was built: it is built again`);
  const jobs = String(availableParallelism());
  await runCommand(cmake, ['--build', folder, '--parallel', jobs, '--target', target], {
    env,
    quietUnlessFailed: true,
  });
  recordBuilt(folder, target, digestOfInputs(folder));
}

/** Everything that a build of this folder depends on: sources, tables of the scenarios, how it was set up, the programs that build it. */
function digestOfInputs(folder) {
  const sources = filesBelow(repository, 'wasm-engine').filter((path) => !path.includes('/gen/'));
  const tables = filesBelow(repository, 'scenarios').filter((path) =>
    /\/(manifest|latches|servers)\.json$/.test(path),
  );
  const tools = [
    ...filesBelow(repository, 'tools/setup'),
    'tools/builds.mjs',
    'tools/generate-scenarios.mjs',
  ];
  const files = digestOfFiles(repository, [...sources, ...tables, ...tools, 'package.json']);
  return `${files} ${digestOfSetUp(folder)}`;
}

/**
 * The loader, whose workers load the very file that starts them. As Emscripten writes it, Vite would pack it a second time, for them.
 * @param {string} script
 */
function withWorkersOfItself(script) {
  const patched = script.replaceAll(/new Worker\(new URL\([^)]*\),/g, 'new Worker(import.meta.url,');
  if (patched === script) throw new Error('The Emscripten loader has no worker creation that is known here.');
  return patched;
}

/**
 * Compiles the engine to WebAssembly for one platform.
 * @param {'threads' | 'virtual'} platform
 * @param {{ target?: string }} [options] `target`: a CMake target, to build nothing else
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
  const folder = join(repository, `build/wasm-${platform}`);
  const env = { ...process.env, ...emscripten.env, ...(await emscriptenThroughCache()) };
  const options = [
    '-G',
    'Ninja',
    `-DCMAKE_MAKE_PROGRAM=${ninja}`,
    `-DCMAKE_TOOLCHAIN_FILE=${emscripten.cmakeToolchainFile}`,
    `-DLATCHSCOPE_PLATFORM=${platform}`,
    ...libraryOptions(libraries),
  ];
  await step(`Engine for the page (WebAssembly, ${platform})`, () =>
    cmakeBuild(cmake, folder, { options, env, compiler: emscripten.emcc, target }),
  );
  return folder;
}

/**
 * What the page knows about the engine besides the modules, printed by the engine's own program. The limits
 * and the shape of the lab's code are committed, because tools need them before any engine is built.
 */
const generatedForPage = {
  layout_gen: join(contractFolder, 'telemetry-layout.ts'),
  latency_gen: join(contractFolder, 'latency-answers.ts'),
  latch_gen: join(contractFolder, 'latch-classes.ts'),
  lab_gen: join(repository, 'web/contract/lab-program.ts'),
  limits_gen: join(repository, 'web/contract/engine-limits.ts'),
  abi_gen: join(contractFolder, 'engine-abi.ts'),
};

/** Compiles both engines of the page and copies them, with these files, to where the page imports them. */
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
 * @param {{ target?: string }} [options] `target`: a CMake target, to build nothing else
 * @returns {Promise<{ folder: string, toolchain: object }>}
 */
export function buildNative(flavour, { target } = {}) {
  return buildAlone(() => compileNative(flavour, target));
}

async function compileNative(flavour, target) {
  const { folder: name, options } = nativeFlavours[flavour];
  const { folder, toolchain, setUp } = await prepareNative(name, options);
  const build = { ...(await throughCache(setUp)), target };
  await step(`Native engine (${flavour})`, () => cmakeBuild(toolchain.cmake, folder, build));
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
 * Sets up a unity build of the native engine for clang-tidy to read. Compiles nothing.
 * @returns {Promise<{ folder: string, toolchain: object }>}
 */
export function configureForTidy() {
  return buildAlone(async () => {
    // Without the tests, which are not checked: files that they share with the command line would be checked twice.
    const options = ['-DLATCHSCOPE_GOOGLETEST_SOURCE='];
    const { folder, toolchain, setUp } = await prepareNative('native-tidy', options, { tidy: true });
    await configureIfNew(toolchain.cmake, folder, setUp);
    // What it reads lists the sources, also those that are new.
    await cmakeConfigure(toolchain.cmake, folder, { options: [], env: setUp.env });
    return { folder, toolchain };
  });
}

/**
 * Compiles the command line, without the engine's tests.
 * @param {'threads' | 'virtual'} [platform]
 * @returns {Promise<string>} its build folder
 */
export async function buildCommandLine(platform = 'threads') {
  const flavour = platform === 'threads' ? 'native' : 'virtual';
  const target = 'latchscope';
  const present = join(repository, 'build', nativeFlavours[flavour].folder);
  // Before any lock is taken: a checkout that cannot be written may have all that is needed.
  if (isBuilt(present, target, digestOfInputs(present))) return present;
  const { folder } = await buildNative(flavour, { target });
  return folder;
}

/** Builds the page into dist/, with its engine. */
export function buildPage() {
  return buildAlone(async () => {
    await compileEngineForPage();
    await bundlePage();
  });
}

/**
 * Builds the page into dist/ with the engine that is already built. What is served from dist/ meanwhile stays
 * whole.
 */
export function bundlePage() {
  return buildAlone(async () => {
    await ensureNodeModules();
    const vite = join(repository, 'node_modules/vite/bin/vite.js');
    const folder = join(repository, 'build/page');
    await step('Page', () =>
      runCommand(process.execPath, [vite, 'build', '--outDir', folder], {
        // Vite would read a setting made for another project, and then keep nothing for use without a
        // network.
        env: { ...process.env, NODE_ENV: 'production' },
        quietUnlessFailed: true,
      }),
    );
    replaceFolder(folder, pageFolder);
  });
}

/** Removes everything that a build makes. */
export function throwAwayBuilds() {
  return buildAlone(async () => {
    emptyBuildFolder();
    for (const folder of builtFolders) rmSync(folder, { recursive: true, force: true });
  });
}
