import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

import { useScratch } from '../setup/scratch.mjs';
import { checkCommits } from './commits.mjs';

const { at, write } = useScratch();

/**
 * Makes a repository with these messages after a first commit. Returns its folder and the first
 * commit.
 */
function repositoryWith(name, ...messages) {
  write(`${name}/a.txt`, '');
  const root = at(name);
  const git = (...args) => {
    const all = [
      '-c',
      'user.name=a',
      '-c',
      'user.email=a@example.com',
      '-c',
      'commit.gpgsign=false',
      ...args,
    ];
    const { status, stdout, stderr } = spawnSync('git', all, { cwd: root, encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    return stdout.trim();
  };
  git('init', '--quiet');
  git('commit', '--quiet', '--allow-empty', '-m', 'Anything. Before the rule');
  const base = git('rev-parse', 'HEAD');
  for (const message of messages) git('commit', '--quiet', '--allow-empty', '-m', message);
  return { root, base };
}

const WHY = '\n\nThe reason, in a sentence.';

test('messages of the form pass; the first commit is not checked', () => {
  const { root, base } = repositoryWith(
    'good',
    `engine: choose hot latches${WHY}`,
    `what-if: sort pages${WHY}`,
  );
  assert.deepEqual(checkCommits(root, base), { isGood: true, message: 'commits: 2 messages checked' });
});

const bad = {
  'an unknown area': [`stuff: do it${WHY}`, /type must be one of/],
  'no area': [`Do it${WHY}`, /type may not be empty/],
  'a long subject': [`engine: ${'x'.repeat(65)}${WHY}`, /header must not be longer than 72/],
  'a full stop': [`engine: do it.${WHY}`, /may not end with full stop/],
  'no reason': ['engine: do it', /body may not be empty/],
};

for (const [name, [message, expected]] of Object.entries(bad))
  test(`is refused: ${name}`, () => {
    const { root, base } = repositoryWith('bad', message);
    const { isGood, message: said } = checkCommits(root, base);
    assert.ok(!isGood);
    assert.match(said, expected);
  });

test('a history without the base passes with a message', () => {
  const { root } = repositoryWith('shallow', 'anything');
  const { isGood, message } = checkCommits(root, '0123456789012345678901234567890123456789');
  assert.ok(isGood);
  assert.match(message, /not checked\. Commit 0123/);
});
