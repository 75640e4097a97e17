import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withLock } from './cache.mjs';
import { CommandError, run } from './commands.mjs';
import { SetupError, step } from './progress.mjs';

const PROJECT_ROOT = fileURLToPath(new URL('../../', import.meta.url));
const STAMP = '.latchscope-stamp';

/**
 * Installs the npm packages when they are missing or belong to another package.json or lock file.
 * @param {{ projectRoot?: string }} [options]
 * @returns {Promise<{ installed: boolean }>} whether anything had to be done
 */
export async function ensureNodeModules({ projectRoot = PROJECT_ROOT } = {}) {
  if (isUpToDate(projectRoot)) return { installed: false };
  return withLock(`npm-${digest(projectRoot).slice(0, 12)}`, async () => {
    if (isUpToDate(projectRoot)) return { installed: false };
    const command = existsSync(join(projectRoot, 'package-lock.json')) ? 'ci' : 'install';
    await step(`npm ${command}`, () => installPackages(command, projectRoot));
    writeFileSync(join(projectRoot, 'node_modules', STAMP), fingerprint(projectRoot));
    return { installed: true };
  });
}

/**
 * @param {string} [projectRoot]
 * @returns {boolean} whether node_modules holds what package.json and the lock file ask for
 */
export function isUpToDate(projectRoot = PROJECT_ROOT) {
  const stamp = join(projectRoot, 'node_modules', STAMP);
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint(projectRoot);
}

function fingerprint(projectRoot) {
  const files = ['package-lock.json', 'package.json'].map((name) => join(projectRoot, name));
  const texts = files.map((file) => (existsSync(file) ? readFileSync(file, 'utf8') : ''));
  // Some packages hold programs for one kind of machine.
  return digest([`${process.platform} ${process.arch}`, ...texts].join('\n'));
}

function digest(text) {
  return createHash('sha256').update(text).digest('hex');
}

async function installPackages(command, projectRoot) {
  try {
    await run('npm', [command, '--include=dev', '--ignore-scripts', '--no-audit', '--no-fund'], {
      cwd: projectRoot,
    });
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    throw new SetupError(error.message, 'check that npm reaches its registry (npm ping), then run again');
  }
}
