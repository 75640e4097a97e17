// Lists the files of a built page that its service worker stores, with their digests.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

export const SERVICE_WORKER = 'service-worker.js';

/**
 * Returns the source of the service worker for the page in `folder`.
 * @param {string} folder
 * @param {string} code the code that uses `BUILD`
 */
export function serviceWorkerOf(folder, code) {
  return `const BUILD = ${JSON.stringify(buildIn(folder))};\n${code}`;
}

/**
 * @param {string} folder a built page
 * @returns {string | null} a file that is missing or changed since the build, for instance emptied
 *   by a power loss; null if there is none
 */
export function damagedFileOf(folder) {
  const serviceWorker = join(folder, SERVICE_WORKER);
  if (!existsSync(serviceWorker)) return null;
  const text = readFileSync(serviceWorker, 'utf8');
  if (text === '') return SERVICE_WORKER;
  const [, build = '{}'] = /^const BUILD = (.*);$/m.exec(text) ?? [];
  const { files = {} } = JSON.parse(build);
  const isDamaged = ([file, digest]) =>
    !existsSync(join(folder, file)) || digestOf(join(folder, file)) !== digest;
  return Object.entries(files).find(isDamaged)?.[0] ?? null;
}

/**
 * Returns every file that the page may request, by path below the folder, with its digest for
 * subresource integrity.
 */
function buildIn(folder) {
  const files = Object.fromEntries(filesIn(folder).map((file) => [file, digestOf(join(folder, file))]));
  return { version: sha256(JSON.stringify(files), 'hex').slice(0, 16), files };
}

const digestOf = (path) => `sha256-${sha256(readFileSync(path), 'base64')}`;

function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== SERVICE_WORKER)
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
    .sort();
}

function sha256(content, encoding) {
  return createHash('sha256').update(content).digest(encoding);
}
