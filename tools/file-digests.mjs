// Whether files are what they were: what was made from them need not be made again.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @param {string} root
 * @param {string} path from there on, of a file or a folder
 * @returns {string[]} that file, or all files in that folder, as paths from `root` on
 */
export function filesBelow(root, path) {
  if (!statSync(join(root, path)).isDirectory()) return [path];
  return readdirSync(join(root, path)).flatMap((name) => filesBelow(root, `${path}/${name}`));
}

/**
 * The files of a checkout that git does not ignore: what only this checkout has is left out.
 * @param {string} root
 * @param {string[]} paths from there on, of files and folders
 * @returns {string[] | null} as paths from `root` on; null for a folder that is no checkout
 */
export function filesKnownToGit(root, paths) {
  const listing = ['ls-files', '--cached', '--others', '--exclude-standard', '-z', '--', ...paths];
  const { status, stdout } = spawnSync('git', listing, { cwd: root, encoding: 'utf8' });
  if (status !== 0) return null;
  return stdout.split('\0').filter((path) => path !== '' && existsSync(join(root, path)));
}

/**
 * @param {string} root
 * @param {string[]} files from there on
 * @returns {string} SHA-256 over their paths and contents, in hexadecimal
 */
export function digestOfFiles(root, files) {
  const hash = createHash('sha256');
  for (const path of files.toSorted()) {
    const content = readFileSync(join(root, path));
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}
