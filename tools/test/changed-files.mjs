// Lists the files changed since a commit, including uncommitted changes.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { usageError } from '../command-line.mjs';
import { CommandFailed, commandOutput, repository } from '../processes.mjs';

const git = (...args) => commandOutput('git', args, { quiet: true });
const lines = (text) => text.split('\0').filter((line) => line !== '');

/**
 * Throws a UsageError if `base` is not a commit.
 * @param {string | undefined} base a commit; default: where this branch left main
 * @returns {Promise<{ base: string, paths: string[], present: string[] }>} `present`: those of
 *   `paths` that still exist
 */
export async function changedFiles(base) {
  const commit = await commitOf(base);
  const tracked = lines(await git('diff', '--name-only', '--no-renames', '-z', commit));
  const untracked = lines(await git('ls-files', '--others', '--exclude-standard', '-z'));
  const paths = [...tracked, ...untracked].sort();
  return { base: commit, paths, present: paths.filter((path) => existsSync(join(repository, path))) };
}

async function commitOf(base) {
  try {
    return base === undefined
      ? (await git('merge-base', 'main', 'HEAD')).trim()
      : (await git('rev-parse', '--verify', '--end-of-options', `${base}^{commit}`)).trim();
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    throw usageError('--changed', base ?? 'main', 'a commit, branch or tag of this repository');
  }
}
