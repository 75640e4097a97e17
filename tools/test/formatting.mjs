// The check `prettier`. Formatting depends on Prettier, its settings, and a file's path and text.
// Files that passed with the same inputs are not checked again.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { filesKnownToGit } from '../file-digests.mjs';
import { repository, runCommand } from '../processes.mjs';
import { passesOf } from './passes.mjs';

const prettier = (...args) =>
  runCommand(join(repository, 'node_modules/.bin/prettier'), ['--check', ...args]);
const SETTINGS = ['.prettierrc', '.prettierignore', '.editorconfig', '.gitignore', 'package-lock.json'];

const contentOf = (path) => readFileSync(join(repository, path));
const settings = () => SETTINGS.filter((path) => existsSync(join(repository, path))).map(contentOf);

function digestOf(path, circumstances) {
  const hash = createHash('sha256');
  for (const part of [...circumstances, path, contentOf(path)]) hash.update(`${part.length}\0`).update(part);
  return hash.digest('hex');
}

/** @param {string[]} files relative to the repository */
export const checkFormatOf = (files) => prettier('--ignore-unknown', ...files);

/** @param {{ isKnownEnough: boolean }} extent whether to skip files that passed before */
export async function checkFormatOfAll({ isKnownEnough }) {
  const files = filesKnownToGit(repository, ['.']);
  if (files === null) return prettier('.');
  const passes = passesOf('prettier');
  const circumstances = settings();
  const digests = new Map(files.map((path) => [path, digestOf(path, circumstances)]));
  const others = files.filter((path) => !isKnownEnough || !passes.has(digests.get(path)));
  if (others.length > 0) await checkFormatOf(others);
  for (const path of others) passes.add(digests.get(path));
  console.log(
    `${others.length} files checked; ${files.length - others.length} passed before and have not changed`,
  );
}
