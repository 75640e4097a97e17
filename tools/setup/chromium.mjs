import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findInstalled, install, rememberAbout } from './cache.mjs';
import { firstThatWorks, NotHere } from './choices.mjs';
import { isExecutableFile, run, which } from './commands.mjs';
import { debianRecipe, unpackDebianPackages } from './debian-packages.mjs';
import { requireApt, thisMachine } from './host-machine.mjs';
import { step } from './progress.mjs';

const INSTALL = 'chromium';
const RECIPE = debianRecipe(1);
const SYSTEM_NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const PROBE_TIMEOUT_MS = 8000;
const DOWNLOAD_TIMEOUT_MS = 10 * 60 * 1000;

/** The host's own, since the host's loader starts this Chromium; and what a headless browser never needs. */
export const NOT_NEEDED_BY_BROWSERS = [
  'libc6',
  'libgcc-s1',
  'libstdc++6',
  'debconf',
  'dpkg',
  'tar',
  'perl',
  'perl-base',
  'dbus',
  'dbus-user-session',
  'systemd',
  'libpam-systemd',
  'adwaita-icon-theme',
  'hicolor-icon-theme',
  'xdg-utils',
  'xdg-desktop-portal',
  'dconf-gsettings-backend',
  'gsettings-desktop-schemas',
  'ucf',
  'sensible-utils',
  'libgl1-mesa-dri',
];

/** For a machine without fonts: those of the packages. */
const FONT_CONFIGURATION = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <dir prefix="relative">usr/share/fonts</dir>
  <include ignore_missing="yes">60-latin.conf</include>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`;

const REMEDY =
  'install Chromium (Debian: apt-get install chromium; elsewhere: npx playwright install --with-deps ' +
  'chromium), or set CHROMIUM_PATH to a Chromium or Chrome';

/**
 * @typedef {object} Chromium
 * @property {string} path of the program
 * @property {string} source where it came from, in words
 */

/**
 * Finds a Chromium for the browser tests, or installs one.
 * @param {{ playwrightCore?: string }} [options] what to import for Playwright's own opinion
 * @returns {Promise<Chromium>}
 */
export function ensureChromium(options) {
  return firstThatWorks('Chromium', chromiumWays(options), REMEDY);
}

/**
 * The ways of getting Chromium, in order.
 * @param {{ playwrightCore?: string }} [options]
 * @returns {{ name: string, installs?: boolean, get: () => Promise<Chromium> }[]}
 */
export function chromiumWays({ playwrightCore = 'playwright-core' } = {}) {
  return [
    { name: '$CHROMIUM_PATH', get: fromVariable },
    { name: "Playwright's own", get: () => fromPlaywright(playwrightCore) },
    { name: 'PATH', get: fromPath },
    { name: 'the cache', get: fromCache },
    { name: 'apt-get install', installs: true, get: fromAptGet },
    { name: 'Debian packages', installs: true, get: fromDebianPackages },
    { name: "Playwright's download", installs: true, get: () => fromPlaywrightDownload(playwrightCore) },
  ];
}

async function fromVariable() {
  if (!process.env.CHROMIUM_PATH) throw new NotHere('CHROMIUM_PATH is not set');
  return verified('variable', process.env.CHROMIUM_PATH);
}

async function fromPath() {
  const path = which(SYSTEM_NAMES);
  if (!path) throw new NotHere(`${SYSTEM_NAMES.join(', ')} not found on PATH`);
  return verified('path', path);
}

async function fromCache() {
  return findInstalled(INSTALL, [[RECIPE, describe]]);
}

async function fromPlaywright(playwrightCore) {
  return verified('playwright', await askPlaywright(findPlaywright(playwrightCore)));
}

async function fromPlaywrightDownload(playwrightCore) {
  const entry = findPlaywright(playwrightCore);
  const cli = join(dirname(entry), 'cli.js');
  await requireDownloads(cli);
  await step('Chromium: playwright install chromium', () =>
    run(process.execPath, [cli, 'install', 'chromium'], { timeout_ms: DOWNLOAD_TIMEOUT_MS }),
  );
  return verified('playwright', await askPlaywright(entry));
}

function findPlaywright(playwrightCore) {
  try {
    return createRequire(import.meta.url).resolve(playwrightCore);
  } catch {
    throw new NotHere(`${playwrightCore} is not installed (npm ci)`);
  }
}

/** Where Playwright keeps its own Chromium, there or not; asking means loading Playwright, half a second. */
function askPlaywright(entry) {
  const ask = async () => (await import(pathToFileURL(entry).href)).default.chromium.executablePath();
  return rememberAbout('playwright', entry, ask, process.env.PLAYWRIGHT_BROWSERS_PATH);
}

/** Asks Playwright where it would download from, then asks there; a proxy is Playwright's own business. */
async function requireDownloads(cli) {
  if (process.env.HTTPS_PROXY || process.env.https_proxy) return;
  const { stdout } = await run(process.execPath, [cli, 'install', '--dry-run', 'chromium']);
  const url = /https?:\/\/\S+/.exec(stdout)?.[0];
  if (!url) throw new NotHere('Playwright names no download');
  try {
    await fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) });
  } catch {
    throw new NotHere(`${new URL(url).host} does not answer`);
  }
}

async function fromAptGet() {
  requireApt();
  if (process.getuid?.() !== 0) throw new NotHere('not running as root');
  const apt = (...args) =>
    run('apt-get', ['-o', 'DPkg::Lock::Timeout=120', ...args], {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' },
    });
  await step('Chromium: apt-get install chromium', async () => {
    await apt('update');
    await apt('install', '--yes', '--no-install-recommends', 'chromium');
  });
  return fromPath();
}

async function fromDebianPackages() {
  return install(INSTALL, RECIPE, describe, async (partial) => {
    const facts = await unpackDebianPackages(partial, {
      title: 'Chromium from Debian packages',
      packages: ['chromium'],
      without: NOT_NEEDED_BY_BROWSERS,
    });
    writeBrowserLauncher(partial);
    await step('Chromium: rendering an empty page', () =>
      run(
        describe(partial).path,
        ['--headless', '--no-sandbox', '--disable-gpu', '--dump-dom', 'about:blank'],
        { timeout_ms: 60_000 },
      ),
    );
    return facts;
  });
}

/** Chromium starts itself anew through /proc/self/exe, so the host's loader must be the one that runs it. */
function writeBrowserLauncher(directory) {
  const { multiarch } = thisMachine();
  const script = `#!/bin/sh
root="$(cd "\${0%/*}" && pwd)/root"
libraries="$root/usr/lib/${multiarch}"
export LD_LIBRARY_PATH="$libraries:$libraries/pulseaudio"
if [ ! -e /etc/fonts/fonts.conf ]; then
  export FONTCONFIG_FILE="$root/fonts.conf" FONTCONFIG_PATH="$root/usr/share/fontconfig/conf.avail"
fi
exec "$root/usr/lib/chromium/chromium" "$@"
`;
  writeFileSync(describe(directory).path, script, { mode: 0o755 });
  writeFileSync(join(directory, 'root', 'fonts.conf'), FONT_CONFIGURATION);
}

function describe(directory) {
  return { path: join(directory, 'chromium') };
}

async function verified(topic, path) {
  if (!isExecutableFile(path)) throw new NotHere(`${path} is no program`);
  await rememberAbout(`chromium-${topic}`, path, async () => (await run(path, ['--version'])).stdout.trim());
  return { path };
}
