// What clang-tidy says of a unit depends on the program, its settings, the command that compiles the unit, and the text of every file
// that the unit includes. A digest of these is kept for each unit that passed, as ccache keeps what was compiled: beside it, and
// with paths relative to the checkout, so that another one finds it.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const sha256 = (content) => createHash('sha256').update(content).digest('hex');

/**
 * @param {string} makefile what a compiler prints with -M: a rule whose target is followed by every file that was read
 * @returns {string[]}
 */
export function filesOfRule(makefile) {
  const rule = makefile.replaceAll('\\\n', ' ');
  const names = rule.slice(rule.indexOf(': ') + 2).match(/(?:\\[ #]|\S)+/g) ?? [];
  return names.map((name) => name.replaceAll(/\\([ #])/g, '$1').replaceAll('$$', '$'));
}

/**
 * @param {object} given
 * @param {string} given.checkout its path is left out of all that is told
 * @param {unknown} given.circumstances the program, its settings and its arguments, as they can be compared
 * @returns {(command: string, files: string[]) => string} the digest of a unit
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
