/**
 * An apt of our own: it has the machine's configuration, sources and keyring, but its own folders and its own
 * idea of what is installed, so it needs no root and changes nothing. It resolves dependencies and downloads;
 * apt itself checks the release's signature, by it the package lists, and by those the packages, whatever the machine's
 * configuration lets pass.
 */

import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  formatDeb822Sources,
  parseDeb822Sources,
  parseOneLineSources,
  sourcesOfOtherRelease,
  sourcesOfRelease,
} from './apt-sources.mjs';
import { NotHere } from './choices.mjs';
import { CommandError, run } from './commands.mjs';
import { hostDistribution, hostRelease, requireApt } from './host-machine.mjs';
import { SetupError } from './progress.mjs';

/**
 * @typedef {object} PlannedPackage
 * @property {string} name
 * @property {string} version
 * @property {number} bytes
 */

/**
 * @typedef {object} PrivateApt
 * @property {string} directory
 * @property {string} release whose packages it offers
 * @property {string} archives folder of what was downloaded
 * @property {() => Promise<void>} update
 * @property {(names: string[]) => Promise<string[]>} offered those of the names that the release has
 * @property {(packages: string[], without: string[]) => Promise<PlannedPackage[]>} plan the closure
 * @property {(packages: string[]) => Promise<void>} download as planned
 */

/**
 * Opens a private apt in a folder.
 * @param {string} directory
 * @param {string} [suite] a release other than the machine's own
 * @returns {Promise<PrivateApt>}
 */
export async function openPrivateApt(directory, suite) {
  requireApt();
  const release = suite ?? hostRelease();
  const sources = await chooseSources(suite);
  const architecture = (await run('dpkg', ['--print-architecture'])).stdout.trim();
  const paths = layOutPrivateApt(directory, sources, architecture);
  const apt = (program, args) => run(program, ['-c', paths.config, ...args], { env: aptEnvironment() });
  let updateWarnings = '';

  return {
    directory,
    release,
    archives: paths.archives,
    async update() {
      updateWarnings = (await apt('apt-get', ['update'])).stderr;
    },
    async offered(names) {
      const { stdout } = await apt('apt-cache', ['pkgnames']);
      const known = new Set(stdout.split('\n'));
      return names.filter((name) => known.has(name));
    },
    async plan(packages, without) {
      writeFileSync(paths.status, without.map((name) => installedStanza(name, architecture)).join(''));
      try {
        const { stdout } = await apt('apt-get', ['install', '--yes', '--print-uris', '-qq', ...packages]);
        return parsePrintedUris(stdout);
      } catch (error) {
        throw error instanceof CommandError ? unavailable(packages, release, error, updateWarnings) : error;
      }
    },
    async download(packages) {
      await apt('apt-get', ['install', '--yes', '--download-only', '-qq', ...packages]);
    },
  };
}

function unavailable(packages, release, error, updateWarnings) {
  const details = `${error.message}${updateWarnings ? `\n${updateWarnings.trim()}` : ''}`;
  return new SetupError(
    `${packages.join(', ')} cannot be had from ${release} with this machine's apt: ${details}`,
  );
}

function aptEnvironment() {
  return { ...process.env, LC_ALL: 'C', DEBIAN_FRONTEND: 'noninteractive' };
}

async function chooseSources(suite) {
  const release = hostRelease();
  const isOther = suite && suite !== release;
  if (isOther && hostDistribution() !== 'debian') throw new NotHere('this machine is not Debian');
  const configured = await readConfiguredSources();
  const sources = isOther
    ? sourcesOfOtherRelease(configured, release, suite)
    : sourcesOfRelease(configured, release);
  if (sources.length === 0) throw new NotHere(`this machine's apt has no package source for ${release}`);
  return sources;
}

async function readConfiguredSources() {
  const keys = { LIST: 'Dir::Etc::sourcelist/f', PARTS: 'Dir::Etc::sourceparts/d' };
  const { stdout } = await run('apt-config', ['shell', ...Object.entries(keys).flat()]);
  const configured = (name) => new RegExp(`^${name}='(.*)'$`, 'm').exec(stdout)?.[1] ?? '';
  return [configured('LIST'), ...filesIn(configured('PARTS'))].flatMap(readSources);
}

function filesIn(folder) {
  const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory();
  const names = isFolder ? readdirSync(folder).sort() : [];
  return names.map((name) => join(folder, name));
}

function readSources(file) {
  if (!existsSync(file)) return [];
  if (file.endsWith('.list')) return parseOneLineSources(readFileSync(file, 'utf8'));
  return file.endsWith('.sources') ? parseDeb822Sources(readFileSync(file, 'utf8')) : [];
}

function layOutPrivateApt(directory, sources, architecture) {
  const paths = {
    config: join(directory, 'apt.conf'),
    status: join(directory, 'status'),
    archives: join(directory, 'cache', 'archives'),
  };
  for (const folder of ['state/lists/partial', 'cache/archives/partial', 'sources', 'nothing']) {
    mkdirSync(join(directory, folder), { recursive: true });
  }
  writeFileSync(paths.status, '');
  writeFileSync(join(directory, 'sources', 'latchscope.sources'), formatDeb822Sources(sources));
  writeFileSync(paths.config, privateConfiguration(directory, architecture));
  return paths;
}

/** On top of the machine's own configuration, so that its proxies and credentials keep working. */
function privateConfiguration(directory, architecture) {
  return `
#clear APT::Architectures;
#clear APT::Update::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
#clear DPkg::Pre-Install-Pkgs;
#clear Acquire::IndexTargets;
Acquire::IndexTargets::deb::Packages {
  MetaKey "$(COMPONENT)/binary-$(ARCHITECTURE)/Packages";
  ShortDescription "Packages";
  Description "$(RELEASE)/$(COMPONENT) $(ARCHITECTURE) Packages";
  Optional "0";
};
APT::Architecture "${architecture}";
APT::Architectures { "${architecture}"; };
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
Dir::Etc::preferencesparts "${directory}/nothing";
`;
}

/** A package left out is one the private apt takes for installed, in a version that satisfies everybody. */
function installedStanza(name, architecture) {
  return [
    `Package: ${name}`,
    'Status: install ok installed',
    'Maintainer: nobody',
    `Architecture: ${architecture}`,
    'Multi-Arch: allowed',
    'Version: 9999:0',
    'Description: left out',
    '',
    '',
  ].join('\n');
}

/**
 * @param {string} text the output of `apt-get --print-uris`
 * @returns {{ name: string, version: string, bytes: number }[]}
 */
export function parsePrintedUris(text) {
  return [...text.matchAll(/^'[^']*' (\S+)_([^\s_]+)_[^\s_]+\.deb (\d+)/gm)].map(
    ([, name, version, bytes]) => ({ name, version: decodeURIComponent(version), bytes: Number(bytes) }),
  );
}
