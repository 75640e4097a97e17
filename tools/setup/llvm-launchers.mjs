import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SetupError } from './progress.mjs';
import { writeLauncher } from './relocated-programs.mjs';

const PROGRAMS = new RegExp(
  `^(${[
    'clang(\\+\\+|-format|-tidy)?',
    'ld\\.lld',
    'wasm-ld',
    'llvm-(ar|cov|cxxfilt|dwarfdump|dwp|nm|objcopy|objdump|profdata|ranlib|readelf|readobj)',
    'llvm-(size|strip|symbolizer)',
  ].join('|')})$`,
);

/** Clang finds its files from argv[0], since its real program is the loader; inner calls take no options. */
const COMPILER_PRELUDE = 'case "$1" in -cc1*) ;; *) set -- -no-canonical-prefixes "$@" ;; esac\n';

/**
 * Makes the LLVM programs of an unpacked root runnable.
 * @param {string} directory
 * @param {{ clangOptions?: string[] }} [options] given to every clang; <CFGDIR> is the launchers' folder
 */
export function writeLlvmLaunchers(directory, { clangOptions = [] } = {}) {
  const major = findMajor(directory);
  const llvm = `usr/lib/llvm-${major}`;
  const resources = `${llvm}/lib/clang/${major}`;
  const preludes = {
    clang: COMPILER_PRELUDE,
    'clang++': COMPILER_PRELUDE,
    'clang-tidy': `set -- "--extra-arg-before=-resource-dir=$root/${resources}" "$@"\n`,
  };
  const programs = readdirSync(join(directory, 'root', llvm, 'bin')).filter((name) => PROGRAMS.test(name));
  for (const name of programs) writeLauncher(directory, join(llvm, 'bin', name), { first: preludes[name] });
  const configuration = [`-resource-dir=<CFGDIR>/../root/${resources}`, ...clangOptions, ''].join('\n');
  for (const name of ['clang.cfg', 'clang++.cfg']) writeFileSync(join(directory, 'bin', name), configuration);
}

function findMajor(directory) {
  const majors = readdirSync(join(directory, 'root', 'usr', 'lib')).flatMap(
    (name) => /^llvm-(\d+)$/.exec(name)?.[1] ?? [],
  );
  if (majors.length === 1) return majors[0];
  throw new SetupError(`expected one LLVM in the packages, found ${majors.join(', ') || 'none'}`);
}
