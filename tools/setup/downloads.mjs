import { createHash } from 'node:crypto';
import { createReadStream, rmSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { NotHere } from './choices.mjs';
import { run, which } from './commands.mjs';
import { SetupError, step } from './progress.mjs';

const CONNECT_TIMEOUT_S = 8;

/**
 * Downloads a file and keeps it only if it is the one that is pinned. curl knows the machine's proxies.
 * @param {string} url
 * @param {string} sha256 the only one accepted, in hexadecimal
 * @param {string} file where to
 */
export async function downloadPinned(url, sha256, file) {
  if (!which(['curl'])) throw new NotHere('curl not found on PATH');
  const options = [
    '--fail',
    '--silent',
    '--show-error',
    '--location',
    '--connect-timeout',
    CONNECT_TIMEOUT_S,
  ];
  await step(`downloading ${url}`, () => run('curl', [...options.map(String), '--output', file, '--', url]));
  await requirePinned(file, sha256, url);
}

/**
 * Removes a file that is not the one that is pinned, and throws.
 * @param {string} file
 * @param {string} sha256
 * @param {string} what for messages
 */
export async function requirePinned(file, sha256, what) {
  const actual = await sha256Of(file);
  if (actual === sha256) return;
  rmSync(file, { force: true });
  throw new SetupError(`${what} has the SHA-256 ${actual}, but ${sha256} is pinned`);
}

async function sha256Of(file) {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
