/** Debian packages unpacked into a folder, without root and without touching the system. */

import { mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { startProgram } from '../interruption.mjs';
import { hostRelease } from './host-machine.mjs';
import { openPrivateApt } from './private-apt.mjs';
import { SetupError, step } from './progress.mjs';

const NEVER_UNPACKED = ['doc', 'man', 'info', 'locale', 'lintian', 'bug'].map(
  (name) => `./usr/share/${name}`,
);
const UNPACKED_AT_ONCE = 2;

/** Folders that newer releases keep below /usr only, and older ones beside it. */
const MERGED_INTO_USR = ['bin', 'sbin', 'lib', 'lib32', 'lib64', 'libx32'];

/**
 * @typedef {object} DebianRequest
 * @property {string} title for the progress lines
 * @property {string} [suite] a release other than the machine's own
 * @property {string[] | ((offered: (names: string[]) => Promise<string[]>) => Promise<string[]>)} packages
 *   names, or a function that chooses them, given a way to ask which of some names the release offers
 * @property {string[]} [without] packages to leave out of the closure, with what only they need
 * @property {string[]} [leaveOut] tar patterns of files not to unpack
 */

/**
 * Downloads packages with their closure and unpacks them into `${directory}/root`.
 * @param {string} directory
 * @param {DebianRequest} request
 * @returns {Promise<{ packages: Record<string, string> }>} name -> version
 */
export async function unpackDebianPackages(
  directory,
  { title, suite, packages, without = [], leaveOut = [] },
) {
  const apt = await openPrivateApt(join(directory, 'apt'), suite);
  try {
    await step(`${title}: reading the package lists of ${apt.release}`, () => apt.update());
    const names = Array.isArray(packages) ? packages : await packages(apt.offered);
    const plan = await apt.plan(names, without);
    const size = `${plan.length} packages (${megabytes(plan)} MB)`;
    await step(`${title}: downloading ${size}`, () => apt.download(names));
    await step(`${title}: unpacking ${size}`, () =>
      unpackAll(apt.archives, join(directory, 'root'), leaveOut),
    );
    return { packages: Object.fromEntries(plan.map(({ name, version }) => [name, version])) };
  } finally {
    rmSync(apt.directory, { recursive: true, force: true });
  }
}

/**
 * The recipe of an install made of Debian packages.
 * @param {number} revision raised when the way it is made changes
 * @param {string | null} [suite] where the packages are from
 * @returns {string}
 */
export function debianRecipe(revision, suite = hostRelease()) {
  return `debian ${suite} for ${hostRelease()} ${process.arch}, revision ${revision}`;
}

function megabytes(plan) {
  return Math.round(plan.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6);
}

async function unpackAll(archives, root, leaveOut) {
  for (const folder of MERGED_INTO_USR) {
    mkdirSync(join(root, 'usr', folder), { recursive: true });
    symlinkSync(join('usr', folder), join(root, folder));
  }
  const files = readdirSync(archives)
    .filter((name) => name.endsWith('.deb'))
    .map((name) => join(archives, name));
  const takeTurns = async () => {
    for (let file = files.pop(); file; file = files.pop()) await unpack(file, root, leaveOut);
  };
  await Promise.all(Array.from({ length: UNPACKED_AT_ONCE }, takeTurns));
}

/** The same as `dpkg-deb --extract`, which cannot leave files out. */
function unpack(archive, root, leaveOut) {
  const excluded = [...NEVER_UNPACKED, ...leaveOut].map((pattern) => `--exclude=${pattern}`);
  const list = startProgram('dpkg-deb', ['--fsys-tarfile', archive], { stdio: ['ignore', 'pipe', 'pipe'] });
  const options = ['-x', '-C', root, '--keep-directory-symlink', '--no-same-owner', ...excluded];
  const tar = startProgram('tar', options, { stdio: [list.child.stdout, 'ignore', 'pipe'] });
  list.child.stdout.destroy();
  return Promise.all([requireSuccess(list, archive), requireSuccess(tar, archive)]);
}

async function requireSuccess({ child, ended }, archive) {
  let stderr = '';
  child.stderr.on('data', (chunk) => (stderr += chunk));
  const outcome = await ended;
  if (outcome !== 0)
    throw new SetupError(`unpacking ${archive} failed: ${stderr.trim() || `ended with ${outcome}`}`);
}
