import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findInstalled, install, rememberAbout } from './cache.mjs';
import { firstThatWorks, NotHere } from './choices.mjs';
import { unpackClang } from './clang-packages.mjs';
import { ensureCMake } from './cmake.mjs';
import { isExecutableFile, pathWith, run, which } from './commands.mjs';
import { debianRecipe } from './debian-packages.mjs';
import { hostRelease } from './host-machine.mjs';
import { tryClang } from './smoke-tests.mjs';
import { describeRange, findVersion, isAccepted } from './version-numbers.mjs';
import { CLANG } from './versions.mjs';

const INSTALL = 'clang';
const REVISION = 1;

const REMEDY =
  `install clang ${describeRange(CLANG.accepted)} with its runtime libraries (Debian: clang-19 ` +
  'libclang-rt-19-dev llvm-19 clang-format-19 clang-tidy-19 libstdc++-12-dev), or set CXX to such a clang++';

/**
 * @typedef {object} NativeToolchain
 * @property {string} cc
 * @property {string} cxx
 * @property {string} cmake
 * @property {string} ctest
 * @property {string} ninja
 * @property {string | null} clangFormat null when not asked for and not there
 * @property {string | null} clangTidy null when not asked for and not there
 * @property {Record<string, string>} env to add to the environment of builds and of the programs built
 * @property {string[]} cmakeArgs generator and compilers, for the configure step
 * @property {string} source where clang came from, in words
 */

/**
 * Finds clang, CMake and Ninja for the native engine, or installs them into the cache.
 * @param {{ tidy?: boolean, format?: boolean }} [needs] whether clang-tidy and clang-format must be there
 * @returns {Promise<NativeToolchain>}
 */
export async function ensureNativeToolchain(needs = {}) {
  const { source: _, ...build } = await ensureCMake();
  const clang = await firstThatWorks('clang', clangWays(needs), REMEDY);
  return { ...clang, ...build, cmakeArgs: cmakeArgs(clang, build) };
}

/**
 * The ways of getting clang, in order.
 * @param {{ tidy?: boolean, format?: boolean }} [needs]
 * @returns {{ name: string, installs?: boolean, get: () => Promise<object> }[]}
 */
export function clangWays(needs = {}) {
  const { suite, major } = CLANG.debianFallback;
  return [
    { name: '$CXX', get: () => fromCxxVariable(needs) },
    { name: 'clang++ on PATH', get: () => fromPath(needs) },
    { name: 'the cache', get: fromCache },
    { name: 'Debian packages', installs: true, get: () => fromDebianPackages(hostRelease()) },
    {
      name: `Debian packages (${suite})`,
      installs: true,
      get: () => fromDebianPackages(suite, major),
    },
  ];
}

async function fromCxxVariable(needs) {
  if (!process.env.CXX) throw new NotHere('CXX is not set');
  const cxx = which([process.env.CXX]) ?? process.env.CXX;
  if (!isExecutableFile(cxx)) throw new NotHere(`${cxx} is no program`);
  return describeFound('cxx', cxx, needs);
}

async function fromPath(needs) {
  const names = ['clang++', ...CLANG.debianMajors.map((major) => `clang++-${major}`)];
  const refusals = [];
  for (const name of names) {
    const cxx = which([name]);
    if (!cxx) continue;
    try {
      return await describeFound(name, cxx, needs);
    } catch (error) {
      refusals.push(error.message);
    }
  }
  throw new NotHere(refusals.join('\n') || `${names.join(', ')} not found on PATH`);
}

async function describeFound(topic, cxx, needs) {
  const verdict = await rememberAbout(topic, cxx, () => examine(cxx));
  if (verdict.refusal) throw new NotHere(`${cxx}: ${verdict.refusal}`);
  const beside = (program) => {
    const inFolder = join(dirname(realpathSync(cxx)), program);
    return isExecutableFile(inFolder) ? inFolder : which([program, `${program}-${verdict.major}`]);
  };
  const clangFormat = beside('clang-format');
  const clangTidy = beside('clang-tidy');
  if (needs.format && !clangFormat) throw new NotHere(`${cxx} is good, but there is no clang-format`);
  if (needs.tidy && !clangTidy) throw new NotHere(`${cxx} is good, but there is no clang-tidy`);
  return { cc: beside('clang'), cxx, clangFormat, clangTidy, env: {} };
}

async function examine(cxx) {
  const text = (await run(cxx, ['--version'])).stdout;
  if (!text.includes('clang')) return { refusal: 'is not clang' };
  const version = findVersion(text);
  if (!isAccepted(version, CLANG.accepted)) {
    return { refusal: `is version ${version}, wanted is ${describeRange(CLANG.accepted)}` };
  }
  try {
    await tryClang(`trying ${cxx} on small programs, plain and with sanitizers`, { cxx, env: {} });
    return { major: Number.parseInt(version, 10) };
  } catch (error) {
    return { refusal: `cannot build and run a small program: ${error.message}` };
  }
}

async function fromCache() {
  const suites = [hostRelease(), CLANG.debianFallback.suite];
  return findInstalled(
    INSTALL,
    suites.map((suite) => [debianRecipe(REVISION, suite), describe]),
  );
}

async function fromDebianPackages(suite, major) {
  return install(INSTALL, debianRecipe(REVISION, suite), describe, async (partial) => {
    const facts = await unpackClang(partial, suite, major);
    await tryClang('clang: building small programs, plain and with sanitizers', describe(partial));
    return facts;
  });
}

function describe(directory) {
  const program = (name) => join(directory, 'bin', name);
  return {
    cc: program('clang'),
    cxx: program('clang++'),
    clangFormat: program('clang-format'),
    clangTidy: program('clang-tidy'),
    env: { PATH: pathWith(join(directory, 'bin')), ...symbolizerEnv(program('llvm-symbolizer')) },
  };
}

/** Debian's sanitizers look for the symbolizer in /usr/bin only, unless told otherwise. */
function symbolizerEnv(symbolizer) {
  return Object.fromEntries(['ASAN', 'TSAN', 'UBSAN'].map((name) => [`${name}_SYMBOLIZER_PATH`, symbolizer]));
}

function cmakeArgs({ cc, cxx }, { ninja }) {
  const ar = join(dirname(cxx), 'llvm-ar');
  const ranlib = join(dirname(cxx), 'llvm-ranlib');
  const archiver = isExecutableFile(ar) ? [`-DCMAKE_AR=${ar}`, `-DCMAKE_RANLIB=${ranlib}`] : [];
  return [
    '-G',
    'Ninja',
    `-DCMAKE_MAKE_PROGRAM=${ninja}`,
    `-DCMAKE_C_COMPILER=${cc}`,
    `-DCMAKE_CXX_COMPILER=${cxx}`,
    ...archiver,
  ];
}
