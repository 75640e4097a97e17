import { accessSync, constants, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cacheRoot, findInstalled, install, rememberAbout } from './cache.mjs';
import { firstThatWorks, NotHere } from './choices.mjs';
import { isExecutableFile, pathWith, run, which } from './commands.mjs';
import { debianRecipe } from './debian-packages.mjs';
import { packagedRoot, unpackEmscripten } from './emscripten-packages.mjs';
import { downloadPinned } from './downloads.mjs';
import { step } from './progress.mjs';
import { tryEmscripten } from './smoke-tests.mjs';
import { describeRange, findVersion, isAccepted } from './version-numbers.mjs';
import { EMSCRIPTEN } from './versions.mjs';

const INSTALL = `emscripten-${EMSCRIPTEN.version}`;
const RELEASE_RECIPE = `release ${process.arch}`;
const DEBIAN_RECIPE = debianRecipe(1, EMSCRIPTEN.debianSuite);

const REMEDY =
  `install Emscripten ${EMSCRIPTEN.version} by hand (emsdk install ${EMSCRIPTEN.version}, then ` +
  `emsdk activate ${EMSCRIPTEN.version}) and run again with EMSDK set to its folder or emcc on PATH; ` +
  'on Debian, a working apt-get with a reachable mirror is enough';

/**
 * @typedef {object} Emscripten
 * @property {string} root folder of emcc and of Emscripten's own files
 * @property {string} emcc
 * @property {string} emxx
 * @property {string} version
 * @property {string} cmakeToolchainFile
 * @property {Record<string, string>} env to add to the environment of everything that compiles or links
 * @property {string} source where it came from, in words
 */

/**
 * Finds Emscripten, or installs it into the cache.
 * @returns {Promise<Emscripten>}
 */
export function ensureEmscripten() {
  return firstThatWorks(`Emscripten ${EMSCRIPTEN.version}`, emscriptenWays(), REMEDY);
}

/**
 * The ways of getting Emscripten, in order. `installs` marks those that change the cache.
 * @returns {{ name: string, installs?: boolean, get: () => Promise<Emscripten> }[]}
 */
export function emscriptenWays() {
  return [
    { name: '$EMSDK', get: fromEmsdkVariable },
    { name: 'emcc on PATH', get: fromPath },
    { name: 'the cache', get: fromCache },
    { name: `Debian packages (${EMSCRIPTEN.debianSuite})`, installs: true, get: fromDebianPackages },
    { name: "Emscripten's release from the internet", installs: true, get: fromRelease },
  ];
}

async function fromEmsdkVariable() {
  if (!process.env.EMSDK) throw new NotHere('EMSDK is not set');
  const root = join(process.env.EMSDK, 'upstream', 'emscripten');
  if (!isExecutableFile(join(root, 'emcc'))) throw new NotHere(`${join(root, 'emcc')} does not exist`);
  return describeFound('emsdk', join(root, 'emcc'));
}

async function fromPath() {
  const emcc = which(['emcc']);
  if (!emcc) throw new NotHere('emcc not found on PATH');
  return describeFound('emcc-on-path', emcc);
}

async function describeFound(topic, emcc) {
  const { version, root, cache } = await rememberAbout(topic, emcc, () => askEmcc(emcc));
  if (!isAccepted(version, EMSCRIPTEN.accepted)) {
    throw new NotHere(`${emcc} is version ${version}, wanted is ${describeRange(EMSCRIPTEN.accepted)}`);
  }
  const env = isWritable(cache)
    ? {}
    : { EM_CACHE: join(cacheRoot(), `em-cache-${version}`), EM_FROZEN_CACHE: '' };
  return describe(root, version, env);
}

async function askEmcc(emcc) {
  const version = findVersion((await run(emcc, ['--version'])).stdout.split('\n')[0].replace(/^.*?\)/, ''));
  const emConfig = join(dirname(emcc), 'em-config');
  const ask = async (key) => (await run(emConfig, [key])).stdout.trim();
  if (!isExecutableFile(emConfig)) return { version, root: dirname(emcc), cache: '' };
  return { version, root: await ask('EMSCRIPTEN_ROOT'), cache: await ask('CACHE') };
}

function isWritable(folder) {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

async function fromCache() {
  return findInstalled(INSTALL, [
    [DEBIAN_RECIPE, describePackaged],
    [RELEASE_RECIPE, describeRelease],
  ]);
}

/** Python, run by Emscripten itself; says where things are wherever the folder lies. */
const RELEASE_CONFIGURATION = `import os
prefix = os.path.dirname(os.path.realpath(os.environ['EM_CONFIG']))
LLVM_ROOT = os.path.join(prefix, 'bin')
BINARYEN_ROOT = prefix
`;

async function fromRelease() {
  const archive = EMSCRIPTEN.release.archives[process.arch];
  if (!archive) throw new NotHere(`there is no release for ${process.platform} ${process.arch}`);
  const missing = ['python3', 'tar', 'xz'].filter((program) => !which([program]));
  if (missing.length > 0) throw new NotHere(`${missing.join(', ')} not found on PATH`);
  return install(INSTALL, RELEASE_RECIPE, describeRelease, async (partial) => {
    await unpackRelease(`${EMSCRIPTEN.release.folder}/${archive.name}`, archive.sha256, partial);
    await tryInstalled(describeRelease(partial));
    return { sha256: archive.sha256 };
  });
}

/** The same as emsdk does, but for that emsdk does not look at the hash. */
export async function unpackRelease(url, sha256, directory) {
  const archive = join(directory, 'archive.tar.xz');
  const upstream = join(directory, 'upstream');
  mkdirSync(upstream);
  await downloadPinned(url, sha256, archive);
  await step(`Emscripten ${EMSCRIPTEN.version}: unpacking it`, () =>
    run('tar', ['-xJf', archive, '-C', upstream, '--strip-components=1', '--no-same-owner']),
  );
  rmSync(archive);
  writeFileSync(join(upstream, '.emscripten'), RELEASE_CONFIGURATION);
}

function describeRelease(directory) {
  const upstream = join(directory, 'upstream');
  return describeInstalled(join(upstream, 'emscripten'), join(upstream, '.emscripten'));
}

async function fromDebianPackages() {
  return install(INSTALL, DEBIAN_RECIPE, describePackaged, async (partial) => {
    const facts = await unpackEmscripten(partial);
    await tryInstalled(describePackaged(partial));
    return facts;
  });
}

function describePackaged(directory) {
  const root = packagedRoot(directory);
  return describeInstalled(root, join(root, '.emscripten'));
}

function describeInstalled(root, configuration) {
  return describe(root, EMSCRIPTEN.version, {
    EM_CONFIG: configuration,
    EM_CACHE: join(root, 'cache'),
    EM_NODE_JS: process.execPath,
  });
}

function describe(root, version, env) {
  return {
    root,
    emcc: join(root, 'emcc'),
    emxx: join(root, 'em++'),
    version,
    cmakeToolchainFile: join(root, 'cmake', 'Modules', 'Platform', 'Emscripten.cmake'),
    env: { ...env, PATH: pathWith(root) },
  };
}

/** Emscripten deletes its prebuilt system libraries when it finds itself elsewhere than sanity.txt says. */
async function tryInstalled(emscripten) {
  await tryEmscripten(`Emscripten ${EMSCRIPTEN.version}: linking a small threaded program`, emscripten);
  rmSync(join(emscripten.env.EM_CACHE, 'sanity.txt'), { force: true });
}
