/**
 * Makes programs of unpacked Debian packages runnable from their folder. Each gets a launcher that
 * starts it with the loader and libraries of its packages, independent of the machine's own.
 * Launchers locate programs relative to themselves, so a finished folder can be moved.
 *
 *   <directory>/root/            the unpacked packages
 *   <directory>/bin/             the launchers
 *   <directory>/lib, share       links to root/usr/..., where programs look for their own files
 */

import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { run } from './commands.mjs';
import { thisMachine } from './host-machine.mjs';
import { SetupError } from './progress.mjs';

const LLVM_PROGRAMS = (
  'clang clang++ clang-format clang-tidy ld.lld wasm-ld llvm-ar llvm-cov llvm-cxxfilt llvm-dwarfdump llvm-dwp llvm-nm ' +
  'llvm-objcopy llvm-objdump llvm-profdata llvm-ranlib llvm-readelf llvm-readobj llvm-size llvm-strip llvm-symbolizer'
).split(' ');

/**
 * Clang locates its files by argv[0], since its real program is the loader. Inner calls (-cc1) take
 * no options.
 */
const COMPILER_PRELUDE = 'case "$1" in -cc1*) ;; *) set -- -no-canonical-prefixes "$@" ;; esac\n';

/**
 * Writes launchers and starts each program once, which detects a library missing from the packages.
 * `programs` are paths below root/. `preludes` maps program names to shell code that runs first.
 */
export async function writeLaunchers(directory, programs, preludes = {}) {
  const { loader, multiarch } = thisMachine();
  mkdirSync(join(directory, 'bin'), { recursive: true });
  for (const folder of ['lib', 'share']) symlinkSync(join('root', 'usr', folder), join(directory, folder));
  for (const program of programs) {
    const script = `#!/bin/sh
root="\${0%/*}/../root"
${preludes[basename(program)] ?? ''}exec "$root/${loader}" --inhibit-cache --library-path "$root/usr/lib/${multiarch}" \\
  --argv0 "$0" "$root/${program}" "$@"
`;
    writeFileSync(join(directory, 'bin', basename(program)), script, { mode: 0o755 });
  }
  for (const program of programs) await run(join(directory, 'bin', basename(program)), ['--version']);
}

/**
 * Writes launchers for LLVM's programs and `others`. Every clang gets `clangOptions`, in which
 * <CFGDIR> is the folder bin/.
 */
export async function writeLlvmLaunchers(directory, { clangOptions = [], others = [] } = {}) {
  const versions = readdirSync(join(directory, 'root/usr/lib')).filter((name) => /^llvm-\d+$/.test(name));
  if (versions.length !== 1)
    throw new SetupError(`expected one LLVM in the packages, found ${versions.join(', ') || 'none'}`);
  const llvm = `usr/lib/${versions[0]}`;
  const resources = `${llvm}/lib/clang/${versions[0].replace('llvm-', '')}`;
  const configuration = [`-resource-dir=<CFGDIR>/../root/${resources}`, ...clangOptions, ''].join('\n');
  mkdirSync(join(directory, 'bin'));
  for (const name of ['clang.cfg', 'clang++.cfg']) writeFileSync(join(directory, 'bin', name), configuration);
  const present = readdirSync(join(directory, 'root', llvm, 'bin'));
  const programs = LLVM_PROGRAMS.filter((name) => present.includes(name)).map((name) =>
    join(llvm, 'bin', name),
  );
  await writeLaunchers(directory, [...programs, ...others], {
    clang: COMPILER_PRELUDE,
    'clang++': COMPILER_PRELUDE,
    'clang-tidy': `set -- "--extra-arg-before=-resource-dir=$root/${resources}" "$@"\n`,
  });
}
