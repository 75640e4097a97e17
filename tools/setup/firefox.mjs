import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findInstalled, install } from './cache.mjs';
import { firstThatWorks, NotHere } from './choices.mjs';
import { isExecutableFile, run, which } from './commands.mjs';
import { debianRecipe, unpackDebianPackages } from './debian-packages.mjs';
import { thisMachine } from './host-machine.mjs';
import { NOT_NEEDED_BY_BROWSERS } from './chromium.mjs';

const INSTALL = 'firefox';
const RECIPE = debianRecipe(1);
const SYSTEM_NAMES = ['firefox', 'firefox-esr'];
const REMEDY = 'install Firefox (Debian: apt-get install firefox-esr), or set FIREFOX_PATH to one';

/**
 * @typedef {object} Firefox
 * @property {string} path of the program
 * @property {string} source where it came from, in words
 */

/**
 * Finds a stock Firefox for the tests that run in both browsers, or installs one into the cache.
 * @returns {Promise<Firefox>}
 */
export function ensureFirefox() {
  return firstThatWorks('Firefox', firefoxWays(), REMEDY);
}

/**
 * The ways of getting Firefox, in order.
 * @returns {{ name: string, installs?: boolean, get: () => Promise<Firefox> }[]}
 */
export function firefoxWays() {
  return [
    { name: '$FIREFOX_PATH', get: fromVariable },
    { name: 'PATH', get: fromPath },
    { name: 'the cache', get: async () => findInstalled(INSTALL, [[RECIPE, describe]]) },
    { name: 'Debian packages', installs: true, get: fromDebianPackages },
  ];
}

async function fromVariable() {
  const path = process.env.FIREFOX_PATH;
  if (!path) throw new NotHere('FIREFOX_PATH is not set');
  if (!isExecutableFile(path)) throw new NotHere(`FIREFOX_PATH: ${path} is not a program`);
  return { path, source: '$FIREFOX_PATH' };
}

async function fromPath() {
  const path = which(SYSTEM_NAMES);
  if (!path) throw new NotHere(`${SYSTEM_NAMES.join(', ')} not found on PATH`);
  return { path, source: path };
}

async function fromDebianPackages() {
  return install(INSTALL, RECIPE, describe, async (partial) => {
    const facts = await unpackDebianPackages(partial, {
      title: 'Firefox from Debian packages',
      packages: ['firefox-esr'],
      without: NOT_NEEDED_BY_BROWSERS,
    });
    writeLauncher(partial);
    await run(describe(partial).path, ['--version'], { timeout_ms: 60_000 });
    return facts;
  });
}

function writeLauncher(directory) {
  const { multiarch } = thisMachine();
  const script = `#!/bin/sh
root="$(cd "\${0%/*}" && pwd)/root"
export LD_LIBRARY_PATH="$root/usr/lib/${multiarch}"
exec "$root/usr/lib/firefox-esr/firefox-esr" "$@"
`;
  writeFileSync(describe(directory).path, script, { mode: 0o755 });
}

function describe(directory) {
  return { path: join(directory, 'firefox') };
}
