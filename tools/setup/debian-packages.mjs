/**
 * Unpacks Debian packages into a folder with a private apt. It uses the machine's configuration,
 * sources and keyring, but has its own folders and its own list of installed packages. So it needs
 * no root and changes nothing on the machine.
 *
 * apt resolves dependencies, downloads, and verifies the chain from the release's signature to each
 * package. The machine's configuration cannot weaken that verification.
 */

import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommandFailed } from '../processes.mjs';
import {
  formatDeb822Sources,
  parseDeb822Sources,
  parseOneLineSources,
  sourcesOfRelease,
} from './apt-sources.mjs';
import { requireOnPath, run } from './commands.mjs';
import { hostDistribution, hostRelease } from './host-machine.mjs';
import { NotHere, SetupError, step } from './progress.mjs';

const NEVER_UNPACKED = ['doc', 'man', 'info', 'locale', 'lintian', 'bug'].map(
  (name) => `./usr/share/${name}`,
);

/** Folders that newer releases keep only below /usr, and older ones beside it. */
const MERGED_INTO_USR = ['bin', 'sbin', 'lib', 'lib32', 'lib64', 'libx32'];

/**
 * @typedef {object} DebianRequest
 * @property {string} title for the progress lines
 * @property {string} [suite] a release other than the machine's own
 * @property {string[] | ((offered: Set<string>) => string[])} packages names, or a function that
 *   chooses them from the release's packages
 * @property {string[]} [without] packages to leave out, with the dependencies that only they need
 * @property {string[]} [leaveOut] tar patterns of files that are not unpacked
 */

/**
 * Returns an install step for a part that consists of Debian packages.
 * @param {DebianRequest & Partial<import('./part.mjs').Install> & { finish?: Function, revision?:
 *   number }} request `finish` makes the unpacked files usable, or throws; change `revision` when
 *   the request changes
 * @returns {import('./part.mjs').Install}
 */
export function debianInstall({ describe, finish = () => {}, revision = 1, ...request }) {
  const { suite = hostRelease(), name = request.suite ? `Debian packages (${suite})` : 'Debian packages' } =
    request;
  const build = async (directory) => {
    const facts = await unpackDebianPackages(directory, request);
    await finish(directory, facts);
    return facts;
  };
  const recipe = `debian ${suite} for ${hostRelease()} ${process.arch}, revision ${revision}`;
  return { name, recipe, describe, build };
}

/**
 * Downloads packages with their dependencies and unpacks them into `${directory}/root`. Throws
 * NotHere if this machine has no suitable apt, and SetupError if the packages are not available.
 * @param {string} directory
 * @param {DebianRequest} request
 * @returns {Promise<{ packages: Record<string, string> }>} the version of each package
 */
export async function unpackDebianPackages(
  directory,
  { title, packages, suite, without = [], leaveOut = [] },
) {
  requireOnPath('apt-get', 'apt-config', 'dpkg', 'dpkg-deb', 'tar');
  const place = join(directory, 'apt');
  try {
    const release = suite ?? hostRelease();
    const apt = await openApt(place, await sourcesFor(release), without);
    const { stderr: warnings } = await step(`${title}: reading the package lists of ${release}`, () =>
      apt('apt-get', 'update'),
    );
    const names = Array.isArray(packages) ? packages : packages(await namesOffered(apt));
    const install = (...options) => apt('apt-get', 'install', '--yes', '-qq', ...options, ...names);
    const plan = await install('--print-uris').catch((error) => {
      if (!(error instanceof CommandFailed)) throw error;
      const reason = `${error.message}\n${warnings}`.trim();
      throw new SetupError(
        `${names.join(', ')} is not available from ${release} through this machine's apt: ${reason}`,
      );
    });
    const planned = parsePrintedUris(plan.stdout);
    const megabytes = Math.round(planned.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6);
    const size = `${planned.length} packages (${megabytes} MB)`;
    await step(`${title}: downloading ${size}`, () => install('--download-only'));
    await step(`${title}: unpacking ${size}`, () =>
      unpackAll(join(place, 'cache', 'archives'), join(directory, 'root'), leaveOut),
    );
    return { packages: Object.fromEntries(planned.map(({ name, version }) => [name, version])) };
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

const namesOffered = async (apt) => new Set((await apt('apt-cache', 'pkgnames')).stdout.split('\n'));

/** Parses the output of `apt-get --print-uris`. */
export function parsePrintedUris(text) {
  return [...text.matchAll(/^'[^']*' (\S+)_([^\s_]+)_[^\s_]+\.deb (\d+)/gm)].map(
    ([, name, version, bytes]) => ({ name, version: decodeURIComponent(version), bytes: Number(bytes) }),
  );
}

async function sourcesFor(release) {
  if (release !== hostRelease() && hostDistribution() !== 'debian')
    throw new NotHere('this machine is not Debian');
  const configured = [
    ...parseOneLineSources(await readConfigured('"$LIST" "$PARTS"*.list')),
    ...parseDeb822Sources(await readConfigured('"$PARTS"*.sources')),
  ];
  const sources = sourcesOfRelease(configured, hostRelease(), release);
  if (sources.length > 0) return sources;
  throw new NotHere(`this machine's apt has no package source for ${hostRelease()}`);
}

/** Returns the content of the files that list apt's sources, in order. */
async function readConfigured(files) {
  const script = `
    eval "$(apt-config shell LIST Dir::Etc::sourcelist/f PARTS Dir::Etc::sourceparts/d)"
    for file in ${files}; do if [ -f "$file" ]; then cat "$file" && echo; fi; done`;
  return (await run('sh', ['-c', script])).stdout;
}

/**
 * @returns {Promise<(program: string, ...args: string[]) => ReturnType<typeof run>>} a function
 *   that runs one of apt's programs
 */
async function openApt(directory, sources, without) {
  const architectures = (await run('dpkg', ['--print-architecture'])).stdout.trim();
  const only = sources.map((source) => ({ ...source, architectures, targets: 'Packages' }));
  const files = {
    'apt.conf': configurationOf(directory),
    'sources/latchscope.sources': formatDeb822Sources(only),
    status: without.map((name) => installedStanza(name, architectures)).join('\n'),
  };
  for (const folder of ['state/lists/partial', 'cache/archives/partial', 'sources'])
    mkdirSync(join(directory, folder), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
  const env = { LC_ALL: 'C', DEBIAN_FRONTEND: 'noninteractive' };
  return (program, ...args) => run(program, ['-c', join(directory, 'apt.conf'), ...args], { env });
}

/** Extends the machine's own configuration, so its proxies and credentials still apply. */
const configurationOf = (directory) => `
#clear APT::Update::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
#clear DPkg::Pre-Install-Pkgs;
APT::Install-Recommends "false";
APT::Install-Suggests "false";
APT::Sandbox::User "root";
APT::Get::AllowUnauthenticated "false";
Acquire::AllowInsecureRepositories "false";
Acquire::AllowWeakRepositories "false";
Acquire::AllowDowngradeToInsecureRepositories "false";
Acquire::Languages { "none"; };
Acquire::Retries "2";
Dir::State "${directory}/state";
Dir::State::status "${directory}/status";
Dir::Cache "${directory}/cache";
Dir::Etc::sourcelist "/dev/null";
Dir::Etc::sourceparts "${directory}/sources";
Dir::Etc::preferences "/dev/null";
Dir::Etc::preferencesparts "/dev/null";
`;

/** Leaves out a package by declaring it installed, in a version that satisfies every dependency. */
const installedStanza = (name, architecture) => `Package: ${name}
Status: install ok installed
Maintainer: nobody
Architecture: ${architecture}
Multi-Arch: allowed
Version: 9999:0
Description: left out
`;

/** Unpacks two packages at a time with tar, because `dpkg-deb --extract` cannot leave files out. */
async function unpackAll(archives, root, leaveOut) {
  for (const folder of MERGED_INTO_USR) {
    mkdirSync(join(root, 'usr', folder), { recursive: true });
    symlinkSync(join('usr', folder), join(root, folder));
  }
  const options = [
    ...['-C', root, "--use-compress-program=sh -c 'dpkg-deb --fsys-tarfile -'"],
    ...['--keep-directory-symlink', '--no-same-owner'],
    ...[...NEVER_UNPACKED, ...leaveOut].map((pattern) => `--exclude=${pattern}`),
  ];
  const files = readdirSync(archives).filter((name) => name.endsWith('.deb'));
  const takeTurns = async () => {
    for (let file = files.pop(); file; file = files.pop())
      await run('tar', ['-xf', join(archives, file), ...options]);
  };
  await Promise.all([takeTurns(), takeTurns()]);
}
