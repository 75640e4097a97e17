import { rmSync } from 'node:fs';
import { NotHere } from './choices.mjs';
import { run, which } from './commands.mjs';
import { SetupError, step } from './progress.mjs';

const PROBE_TIMEOUT_MS = 8000;

/**
 * Clones a public repository at a pinned tag and checks that it is the pinned commit.
 * @param {{ repository: string, tag: string, commit: string }} pin
 * @param {string} directory where to; must not exist
 */
export async function clonePinned({ repository, tag, commit }, directory) {
  await requireAnswerFrom(repository);
  await step(`cloning ${repository} at ${tag}`, async () => {
    await run(
      'git',
      [
        '-c',
        'advice.detachedHead=false',
        'clone',
        '--quiet',
        '--depth',
        '1',
        '--branch',
        tag,
        repository,
        directory,
      ],
      { env: gitEnvironment() },
    );
    await verifyCommit(directory, repository, commit);
  });
}

/**
 * @param {string} directory a clone
 * @param {string} repository for the message
 * @param {string} commit the only one accepted
 */
export async function verifyCommit(directory, repository, commit) {
  const head = (await run('git', ['-C', directory, 'rev-parse', 'HEAD'])).stdout.trim();
  if (head === commit) return;
  rmSync(directory, { recursive: true, force: true });
  throw new SetupError(`${repository} gave commit ${head}, but ${commit} is pinned`);
}

async function requireAnswerFrom(repository) {
  if (!which(['git'])) throw new NotHere('git not found on PATH');
  try {
    await run('git', ['ls-remote', '--quiet', repository, 'HEAD'], {
      env: gitEnvironment(),
      timeout_ms: PROBE_TIMEOUT_MS,
    });
  } catch {
    throw new NotHere(`${repository} does not answer`);
  }
}

function gitEnvironment() {
  return { ...process.env, GIT_TERMINAL_PROMPT: '0' };
}
