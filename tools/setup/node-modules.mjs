// Installs the npm packages.
import { hash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { repository } from '../processes.mjs';
import { withLock } from './cache.mjs';
import { run } from './commands.mjs';
import { SetupError, step } from './progress.mjs';

const STAMP = '.latchscope-stamp';

/** Installs the npm packages if they are missing or package.json or the lock file changed. */
export async function ensureNodeModules({ projectRoot = repository } = {}) {
  if (isUpToDate(projectRoot)) return;
  await withLock(`npm-${hash('sha256', projectRoot).slice(0, 12)}`, async () => {
    if (isUpToDate(projectRoot)) return;
    await step('npm ci', () => installPackages(projectRoot));
    writeFileSync(join(projectRoot, 'node_modules', STAMP), fingerprint(projectRoot));
  });
}

/** Whether node_modules matches package.json and the lock file. */
export function isUpToDate(projectRoot = repository) {
  const stamp = join(projectRoot, 'node_modules', STAMP);
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint(projectRoot);
}

function fingerprint(projectRoot) {
  const files = ['package-lock.json', 'package.json'].map((name) => join(projectRoot, name));
  const texts = files.map((file) => readFileSync(file, 'utf8'));
  // Some packages contain programs for one platform.
  return hash('sha256', [`${process.platform} ${process.arch}`, ...texts].join('\n'));
}

async function installPackages(projectRoot) {
  const options = ['--include=dev', '--ignore-scripts', '--no-audit', '--no-fund'];
  await run('npm', ['ci', ...options], { cwd: projectRoot }).catch(({ message }) => {
    throw new SetupError(message, 'check that npm can reach its registry (npm ping), then run again');
  });
}
