// Lists files and computes digests of them, to find out whether anything built from them is up to
// date.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @param {string} root
 * @param {string} path a file or folder, relative to `root`
 * @returns {string[]} the file, or all files in the folder, relative to `root`
 */
export function filesBelow(root, path) {
  if (!statSync(join(root, path)).isDirectory()) return [path];
  return readdirSync(join(root, path)).flatMap((name) => filesBelow(root, `${path}/${name}`));
}

/**
 * Lists the files of a checkout that git does not ignore.
 * @param {string} root
 * @param {string[]} paths files and folders, relative to `root`
 * @returns {string[] | null} relative to `root`; null if `root` is not in a checkout
 */
export function filesKnownToGit(root, paths) {
  const listing = ['ls-files', '--cached', '--others', '--exclude-standard', '-z', '--', ...paths];
  const { status, stdout } = spawnSync('git', listing, { cwd: root, encoding: 'utf8' });
  if (status !== 0) return null;
  return stdout.split('\0').filter((path) => path !== '' && existsSync(join(root, path)));
}

/**
 * @param {string} root
 * @param {string[]} files relative to `root`
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
