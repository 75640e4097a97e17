/** Native clang made of Debian packages, with headers, libraries and sanitizers of its own. */

import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { NotHere } from './choices.mjs';
import { unpackDebianPackages } from './debian-packages.mjs';
import { hostRelease, thisMachine } from './host-machine.mjs';
import { writeLlvmLaunchers } from './llvm-launchers.mjs';
import { prepareLaunchers, verifyLaunchers } from './relocated-programs.mjs';
import { describeRange } from './version-numbers.mjs';
import { CLANG } from './versions.mjs';

const ROOT = '<CFGDIR>/../root';

/** Pulled in by the closure, but not needed to compile C++ and to link it with lld. */
const NOT_NEEDED = [
  ...'python3 python3-yaml binutils lib32stdc++6 libc6-i386 libpfm4 debconf dpkg tar tzdata'.split(' '),
  ...CLANG.debianMajors.map((major) => `clang-tools-${major}`),
  ...[12, 13, 14, 15, 16].map((gcc) => `libobjc-${gcc}-dev`),
];

/**
 * @param {string} directory an empty folder
 * @param {string} suite the release to take packages from
 * @param {number} [major] of clang; by default the best the release has
 * @returns {Promise<object>} what was unpacked
 */
export async function unpackClang(directory, suite, major) {
  const facts = await unpackDebianPackages(directory, {
    title: 'clang from Debian packages',
    suite,
    packages: async (offered) => packagesOf(major ?? (await bestMajor(suite, offered))),
    without: NOT_NEEDED,
    leaveOut: ['./etc', '*/libclang_rt.fuzzer*'],
  });
  prepareLaunchers(directory);
  letNinjaFindHeaders(directory);
  writeLlvmLaunchers(directory, { clangOptions: clangOptions(suite) });
  await verifyLaunchers(directory);
  return facts;
}

// Clang notes headers as root/lib/gcc/.../../../../../include/c++; ninja shortens that without following the link lib, and
// would build everything anew each time because it finds no such file.
function letNinjaFindHeaders(directory) {
  symlinkSync(join('usr', 'include'), join(directory, 'root', 'include'));
}

async function bestMajor(suite, offered) {
  const [best] = await offered(CLANG.debianMajors.map((major) => `clang-${major}`));
  if (!best) throw new NotHere(`${suite} has no clang ${describeRange(CLANG.accepted)}`);
  return Number(best.replace('clang-', ''));
}

function packagesOf(major) {
  const names = ['clang', 'lld', 'llvm', 'clang-format', 'clang-tidy'].map((name) => `${name}-${major}`);
  return [...names, `libclang-rt-${major}-dev`];
}

/** What is built uses nothing of the machine but its loader, and of another release not even that. */
function clangOptions(suite) {
  const options = [`--sysroot=${ROOT}`, '-fuse-ld=lld'];
  if (suite === hostRelease()) return options;
  const { loader, multiarch } = thisMachine();
  return [...options, `-Wl,--dynamic-linker=${ROOT}/${loader}`, `-Wl,-rpath=${ROOT}/usr/lib/${multiarch}`];
}
