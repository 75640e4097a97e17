// Whether files are what they were: what was made from them need not be made again.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
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
