import { accessSync, constants, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cacheRoot, findInstalled, install, rememberAbout } from './cache.mjs';
import { firstThatWorks, NotHere } from './choices.mjs';
import { isExecutableFile, pathWith, run, which } from './commands.mjs';
import { debianRecipe } from './debian-packages.mjs';
import { packagedRoot, unpackEmscripten } from './emscripten-packages.mjs';
import { clonePinned } from './git-sources.mjs';
import { step } from './progress.mjs';
import { tryEmscripten } from './smoke-tests.mjs';
import { describeRange, findVersion, isAccepted } from './version-numbers.mjs';
import { EMSCRIPTEN } from './versions.mjs';

const INSTALL = `emscripten-${EMSCRIPTEN.version}`;
const EMSDK_RECIPE = `emsdk ${process.arch}`;
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
    { name: `emsdk ${EMSCRIPTEN.emsdk.tag} from the internet`, installs: true, get: fromEmsdk },
    { name: `Debian packages (${EMSCRIPTEN.debianSuite})`, installs: true, get: fromDebianPackages },
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
    [EMSDK_RECIPE, describeEmsdk],
    [DEBIAN_RECIPE, describePackaged],
  ]);
}

async function fromEmsdk() {
  if (!which(['python3'])) throw new NotHere('emsdk needs python3, which is not on PATH');
  return install(INSTALL, EMSDK_RECIPE, describeEmsdk, async (partial) => {
    const emsdk = join(partial, 'emsdk');
    await clonePinned(EMSCRIPTEN.emsdk, emsdk);
    await step(`Emscripten ${EMSCRIPTEN.version}: emsdk downloads and unpacks it`, async () => {
      for (const verb of ['install', 'activate']) await run(join(emsdk, 'emsdk'), [verb, EMSCRIPTEN.version]);
    });
    await tryInstalled(describeEmsdk(partial));
    return {};
  });
}

function describeEmsdk(directory) {
  const emsdk = join(directory, 'emsdk');
  return describeInstalled(join(emsdk, 'upstream', 'emscripten'), join(emsdk, '.emscripten'));
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
