// Computes a digest of all inputs of clang-tidy for a unit: the program, its settings, the
// compile command, and the text of every included file. Digests of units that passed
// are stored. Paths are relative to the checkout, so that other checkouts can reuse them.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const sha256 = (content) => createHash('sha256').update(content).digest('hex');

/**
 * @param {string} makefile the output of a compiler's -M: a rule that lists every file that was
 *   read
 * @returns {string[]}
 */
export function filesOfRule(makefile) {
  const rule = makefile.replaceAll('\\\n', ' ');
  const names = rule.slice(rule.indexOf(': ') + 2).match(/(?:\\[ #]|\S)+/g) ?? [];
  return names.map((name) => name.replaceAll(/\\([ #])/g, '$1').replaceAll('$$', '$'));
}

/**
 * @param {object} given
 * @param {string} given.checkout removed from all paths and texts
 * @param {unknown} given.circumstances comparable values of the program, its settings and its
 *   arguments
 * @returns {(command: string, files: string[]) => string} returns the digest of a unit
 */
export function unitDigests({ checkout, circumstances }) {
  const wherever = (text) => text.replaceAll(checkout, '');
  const digests = new Map();
  const digestOf = (file) => {
    if (!digests.has(file)) digests.set(file, sha256(wherever(readFileSync(file, 'utf8'))));
    return digests.get(file);
  };
  return (command, files) =>
    sha256(wherever(JSON.stringify([circumstances, command, files.map((file) => [file, digestOf(file)])])));
}
