// Checks commit messages with commitlint, from FIRST on: older commits have another form.
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';

import { repository } from '../processes.mjs';

/** The last commit before the rule. */
const LAST_UNCHECKED = 'e580ec408f8197ec5e81e77aaee79f5c2e5539d8';

/**
 * @param {string} root of a checkout
 * @param {string} [base] the commit before the first one to check
 * @returns {{ isGood: boolean, message: string }}
 */
export function checkCommits(root, base = LAST_UNCHECKED) {
  const git = (...args) => spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  if (git('merge-base', '--is-ancestor', base, 'HEAD').status !== 0)
    return {
      isGood: true,
      message: `commits: not checked. Commit ${base} is not in this history, for example because the clone is shallow.`,
    };
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      join(repository, 'node_modules/@commitlint/cli/cli.js'),
      '--from',
      base,
      '--to',
      'HEAD',
      '--config',
      join(repository, 'commitlint.config.js'),
    ],
    { cwd: root, encoding: 'utf8' },
  );
  const count = git('rev-list', '--count', `${base}..HEAD`).stdout.trim();
  return status === 0
    ? { isGood: true, message: `commits: ${count} messages checked` }
    : { isGood: false, message: `${stdout}${stderr}` };
}
