/** Finds or installs the compiler toolchain of the native engine: clang, CMake and Ninja. */

import { realpathSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cmake } from './cmake.mjs';
import { isExecutableFile, pathWith, which } from './commands.mjs';
import { debianInstall } from './debian-packages.mjs';
import { hostRelease } from './host-machine.mjs';
import { writeLlvmLaunchers } from './launchers.mjs';
import { part } from './part.mjs';
import { byVariable, describeRange, onPath, requireProgram } from './programs.mjs';
import { NotHere } from './progress.mjs';
import { tryCompiler } from './smoke-tests.mjs';
import { CLANG } from './versions.mjs';

const { accepted, debianMajors } = CLANG;
/** The options that the engine's tests need. */
const VARIANTS = [[], ['-fsanitize=thread'], ['-fsanitize=address,undefined']];

/** Dependencies that are not needed to compile C++ and link it with lld. */
const NOT_NEEDED = [
  ...'python3 python3-yaml binutils lib32stdc++6 libc6-i386 libpfm4 debconf dpkg tar tzdata'.split(' '),
  ...debianMajors.map((major) => `clang-tools-${major}`),
  ...[12, 13, 14, 15, 16].map((gcc) => `libobjc-${gcc}-dev`),
];

/**
 * Finds clang, CMake and Ninja, or installs them into the cache.
 *
 * In the result, `env` is for builds and the programs they make, and `cmakeArgs` is for the
 * configure step. `clangFormat` and `clangTidy` may be null unless requested.
 * @param {{ tidy?: boolean, format?: boolean }} [needs] whether clang-tidy and clang-format are
 *   required
 */
export async function ensureNativeToolchain(needs) {
  const { source: _, ...build } = await cmake.ensure();
  const compiler = await clang(needs).ensure();
  return { ...compiler, ...build, cmakeArgs: cmakeArgs(compiler, build) };
}

export function clang(needs = {}) {
  const describe = (cxx) => describeFound(cxx, needs);
  return part({
    title: 'clang',
    folder: 'clang',
    found: [
      byVariable('CXX', describe),
      onPath(['clang++', ...debianMajors.map((major) => `clang++-${major}`)], describe),
    ],
    installs: [DEBIAN_PACKAGES],
    remedy:
      `install clang ${describeRange(accepted)} with its runtime libraries (Debian: clang-19 libclang-rt-19-dev llvm-19 ` +
      'clang-format-19 clang-tidy-19 libstdc++-12-dev), or set CXX to such a clang++',
  });
}

async function describeFound(cxx, needs) {
  const title = `testing ${cxx} with small programs, plain and with sanitizers`;
  const examine = () => tryCompiler(title, { cxx, env: {} }, VARIANTS);
  const { version } = await requireProgram(cxx, { says: 'clang', accepted, examine });
  const beside = (program) => {
    const inFolder = join(dirname(realpathSync(cxx)), program);
    return isExecutableFile(inFolder) ? inFolder : which([program, `${program}-${version.split('.')[0]}`]);
  };
  const [clangFormat, clangTidy] = ['clang-format', 'clang-tidy'].map(beside);
  if (needs.format && !clangFormat) throw new NotHere(`${cxx} is suitable, but clang-format is missing`);
  if (needs.tidy && !clangTidy) throw new NotHere(`${cxx} is suitable, but clang-tidy is missing`);
  return { cc: beside('clang'), cxx, clangFormat, clangTidy, env: {} };
}

const DEBIAN_PACKAGES = debianInstall({
  title: 'clang',
  packages: packagesOfBest,
  without: NOT_NEEDED,
  leaveOut: ['./etc', '*/libclang_rt.fuzzer*'],
  describe: describeInstalled,
  async finish(directory) {
    // Clang's dependency files contain paths such as root/lib/gcc/.../../../../../include/c++.
    // Ninja normalizes them without following the link lib. Without this link it would not find the
    // headers and would rebuild everything each time.
    symlinkSync(join('usr', 'include'), join(directory, 'root', 'include'));
    // Built programs use nothing of the machine except its loader.
    await writeLlvmLaunchers(directory, { clangOptions: ['--sysroot=<CFGDIR>/../root', '-fuse-ld=lld'] });
    const title = 'clang: building small programs, plain and with sanitizers';
    await tryCompiler(title, describeInstalled(directory), VARIANTS);
  },
});

function packagesOfBest(offered) {
  const major = debianMajors.find((one) => offered.has(`clang-${one}`));
  if (!major) throw new NotHere(`${hostRelease()} has no clang ${describeRange(accepted)}`);
  const names = ['clang', 'lld', 'llvm', 'clang-format', 'clang-tidy'].map((name) => `${name}-${major}`);
  return [...names, `libclang-rt-${major}-dev`];
}

function describeInstalled(directory) {
  const program = (name) => join(directory, 'bin', name);
  const symbolizer = program('llvm-symbolizer');
  return {
    cc: program('clang'),
    cxx: program('clang++'),
    clangFormat: program('clang-format'),
    clangTidy: program('clang-tidy'),
    env: {
      PATH: pathWith(join(directory, 'bin')),
      // Debian's sanitizers otherwise look for the symbolizer only in /usr/bin.
      ASAN_SYMBOLIZER_PATH: symbolizer,
      TSAN_SYMBOLIZER_PATH: symbolizer,
      UBSAN_SYMBOLIZER_PATH: symbolizer,
    },
  };
}

function cmakeArgs({ cc, cxx }, { ninja }) {
  const [ar, ranlib] = ['llvm-ar', 'llvm-ranlib'].map((name) => join(dirname(cxx), name));
  return [
    ...['-G', 'Ninja', `-DCMAKE_MAKE_PROGRAM=${ninja}`],
    ...[`-DCMAKE_C_COMPILER=${cc}`, `-DCMAKE_CXX_COMPILER=${cxx}`],
    ...(isExecutableFile(ar) ? [`-DCMAKE_AR=${ar}`, `-DCMAKE_RANLIB=${ranlib}`] : []),
  ];
}
