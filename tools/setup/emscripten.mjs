// Finds or installs Emscripten.
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cacheRoot } from './cache.mjs';
import { isExecutableFile, isWritable, pathWith, requireOnPath, run } from './commands.mjs';
import { debianInstall } from './debian-packages.mjs';
import { unpackDownload } from './downloads.mjs';
import { writeLlvmLaunchers } from './launchers.mjs';
import { part } from './part.mjs';
import { byVariable, onPath, requireProgram } from './programs.mjs';
import { NotHere } from './progress.mjs';
import { tryCompiler } from './smoke-tests.mjs';
import { EMSCRIPTEN } from './versions.mjs';

const { version, debianSuite, release, accepted } = EMSCRIPTEN;
const title = `Emscripten ${version}`;

/** Dependencies to leave out: the host's Node is used, and nothing native is linked. */
const NOT_NEEDED = (
  'nodejs ccache binutils libc6-dev libstdc++-14-dev libgcc-14-dev libobjc-14-dev libpfm4 ' +
  'dpkg tar debconf tzdata media-types netbase'
).split(' ');

/**
 * Two thirds of the package: system libraries for link-time optimization and shared modules, and
 * tests.
 */
const NOT_UNPACKED = [
  ...['lto', 'lto-pic', 'pic'].map((kind) => `*/wasm32-emscripten/${kind}`),
  './usr/share/emscripten/test',
  './etc',
];

/** Optimized and debug builds of a module. Linking them also builds any missing system library. */
const MODULE = ['-sMODULARIZE', '-sEXPORT_ES6'];
const VARIANTS = [
  ['-O2', ...MODULE],
  ['-O0', '-g', '-sASSERTIONS', ...MODULE],
];

/**
 * `root`: folder of emcc and Emscripten's own files; `env`: environment for compiling and linking.
 */
const describe = (root, is, env) => ({
  root,
  emcc: join(root, 'emcc'),
  cxx: join(root, 'em++'),
  version: is,
  cmakeToolchainFile: join(root, 'cmake', 'Modules', 'Platform', 'Emscripten.cmake'),
  env: { ...env, PATH: pathWith(root) },
});

const describeInstalled = (root, configuration) =>
  describe(root, version, {
    EM_CONFIG: configuration,
    EM_CACHE: join(root, 'cache'),
    EM_NODE_JS: process.execPath,
  });

async function describeFound(emcc) {
  const ask = async (key) => (await run(join(dirname(emcc), 'em-config'), [key])).stdout.trim();
  const examine = async () => ({ root: await ask('EMSCRIPTEN_ROOT'), cache: await ask('CACHE') });
  const { version: is, root, cache } = await requireProgram(emcc, { accepted, examine });
  const ownCache = { EM_CACHE: join(cacheRoot(), `em-cache-${is}`), EM_FROZEN_CACHE: '' };
  return describe(root, is, isWritable(cache) ? {} : ownCache);
}

/** The configuration file, a Python script. It derives its paths from its own location. */
const configuration = (prefix) => `import os
here = os.path.realpath(os.path.dirname(os.environ['EM_CONFIG']))
prefix = os.path.normpath(os.path.join(here, '${prefix}'))
LLVM_ROOT = os.path.join(prefix, 'bin')
BINARYEN_ROOT = prefix
`;

/**
 * Links a small program, then removes sanity.txt: Emscripten deletes its prebuilt system libraries
 * if its location differs from the one in that file.
 */
async function tryInstalled(emscripten) {
  await tryCompiler(`${title}: linking a small threaded program`, emscripten, VARIANTS, 'program.mjs');
  rmSync(join(emscripten.env.EM_CACHE, 'sanity.txt'), { force: true });
}

function describePackaged(directory) {
  const root = join(directory, 'root', 'usr', 'share', 'emscripten');
  return describeInstalled(root, join(root, '.emscripten'));
}

async function finishPackaged(directory) {
  const isBinaryen = (name) => name.startsWith('wasm') && !name.startsWith('wasm-ld');
  const names = readdirSync(join(directory, 'root/usr/bin')).filter(isBinaryen);
  await writeLlvmLaunchers(directory, { others: ['python3', ...names].map((name) => join('usr/bin', name)) });
  const packaged = describePackaged(directory);
  configurePackaged(packaged.root);
  await tryInstalled(packaged);
}

/**
 * Makes Emscripten's scripts use the packaged Python instead of one on PATH, and its JavaScript
 * find the acorn package in its own folder.
 */
function configurePackaged(root) {
  writeFileSync(join(root, '.emscripten'), configuration('../../../..'));
  symlinkSync('../nodejs', join(root, 'node_modules'));
  for (const name of readdirSync(root).filter((entry) => isExecutableFile(join(root, entry)))) {
    const script = readFileSync(join(root, name), 'utf8');
    if (!script.startsWith('#!/bin/sh\n')) continue;
    writeFileSync(join(root, name), script.replace('\n', '\nPYTHON="${0%/*}/../../../../bin/python3"\n'));
  }
}

function describeRelease(directory) {
  const upstream = join(directory, 'upstream');
  return describeInstalled(join(upstream, 'emscripten'), join(upstream, '.emscripten'));
}

async function installRelease(directory) {
  const archive = release.archives[process.arch];
  if (!archive) throw new NotHere(`there is no release for ${process.platform} ${process.arch}`);
  requireOnPath('python3', 'tar', 'xz');
  await unpackRelease({ url: `${release.folder}/${archive.name}`, sha256: archive.sha256 }, directory);
  await tryInstalled(describeRelease(directory));
  return { sha256: archive.sha256 };
}

/** Unpacks a release as emsdk does, but also checks its hash. */
export async function unpackRelease(pinned, directory) {
  const upstream = join(directory, 'upstream');
  mkdirSync(upstream);
  await unpackDownload(pinned, directory, (archive) =>
    run('tar', ['-xJf', archive, '-C', upstream, '--strip-components=1', '--no-same-owner']),
  );
  writeFileSync(join(upstream, '.emscripten'), configuration('.'));
}

export const emscripten = part({
  title,
  folder: `emscripten-${version}`,
  found: [byVariable('EMSDK', describeFound, 'upstream/emscripten/emcc'), onPath(['emcc'], describeFound)],
  installs: [
    debianInstall({
      title,
      suite: debianSuite,
      packages: ['emscripten'],
      without: NOT_NEEDED,
      leaveOut: NOT_UNPACKED,
      describe: describePackaged,
      finish: finishPackaged,
    }),
    {
      name: "Emscripten's release from the internet",
      recipe: `release ${process.arch}`,
      describe: describeRelease,
      build: installRelease,
    },
  ],
  remedy:
    `install Emscripten ${version} by hand (emsdk install ${version}, then emsdk activate ${version}) and run again with ` +
    'EMSDK set to its folder or emcc on PATH; on Debian, a working apt-get with a reachable mirror is enough',
});
