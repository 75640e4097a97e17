/** Emscripten made of Debian packages. */

import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isExecutableFile } from './commands.mjs';
import { unpackDebianPackages } from './debian-packages.mjs';
import { writeLlvmLaunchers } from './llvm-launchers.mjs';
import { prepareLaunchers, verifyLaunchers, writeLauncher } from './relocated-programs.mjs';
import { EMSCRIPTEN } from './versions.mjs';

/** Pulled in by the closure, but not needed: the host's Node is used, and nothing native is linked. */
const NOT_NEEDED = (
  'nodejs ccache binutils libc6-dev libstdc++-14-dev libgcc-14-dev libobjc-14-dev libpfm4 ' +
  'dpkg tar debconf tzdata media-types netbase'
).split(' ');

/** Two thirds of the package: system libraries for link-time optimisation and shared modules; tests. */
const NOT_UNPACKED = [
  ...['lto', 'lto-pic', 'pic'].map((kind) => `*/wasm32-emscripten/${kind}`),
  './usr/share/emscripten/test',
  './etc',
];

/** Python, run by Emscripten itself; says where things are wherever the folder lies. */
const CONFIGURATION = `import os
here = os.path.realpath(os.path.dirname(os.environ['EM_CONFIG']))
prefix = os.path.normpath(os.path.join(here, '../../../..'))
LLVM_ROOT = os.path.join(prefix, 'bin')
BINARYEN_ROOT = prefix
CACHE = os.path.join(here, 'cache')
`;

/**
 * Where Emscripten's own files are in a folder made by `unpackEmscripten`.
 * @param {string} directory
 * @returns {string}
 */
export function packagedRoot(directory) {
  return join(directory, 'root', 'usr', 'share', 'emscripten');
}

/**
 * @param {string} directory an empty folder
 * @returns {Promise<object>} what was unpacked
 */
export async function unpackEmscripten(directory) {
  const facts = await unpackDebianPackages(directory, {
    title: `Emscripten ${EMSCRIPTEN.version} from Debian packages`,
    suite: EMSCRIPTEN.debianSuite,
    packages: ['emscripten'],
    without: NOT_NEEDED,
    leaveOut: NOT_UNPACKED,
  });
  writeProgramLaunchers(directory);
  await verifyLaunchers(directory);
  configure(packagedRoot(directory));
  return facts;
}

function writeProgramLaunchers(directory) {
  const isBinaryen = (name) => name.startsWith('wasm') && !name.startsWith('wasm-ld');
  const programs = readdirSync(join(directory, 'root', 'usr', 'bin')).filter(isBinaryen);
  prepareLaunchers(directory);
  for (const name of ['python3', ...programs]) writeLauncher(directory, join('usr', 'bin', name));
  writeLlvmLaunchers(directory);
}

/** Emscripten's scripts look for Python on PATH, and its JavaScript for the acorn package beside itself. */
function configure(root) {
  writeFileSync(join(root, '.emscripten'), CONFIGURATION);
  symlinkSync('../nodejs', join(root, 'node_modules'));
  for (const name of readdirSync(root).filter((entry) => isExecutableFile(join(root, entry)))) {
    const script = readFileSync(join(root, name), 'utf8');
    if (!script.startsWith('#!/bin/sh\n')) continue;
    writeFileSync(join(root, name), script.replace('\n', '\nPYTHON="${0%/*}/../../../../bin/python3"\n'));
  }
}
