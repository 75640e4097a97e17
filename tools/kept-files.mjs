// The files of a built page that its service worker keeps, and what it knows about them.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

export const SERVICE_WORKER = 'service-worker.js';

/**
 * The service worker for the page in `folder`.
 * @param {string} folder
 * @param {string} code what it does with `BUILD`
 */
export function serviceWorkerOf(folder, code) {
  return `const BUILD = ${JSON.stringify(buildIn(folder))};\n${code}`;
}

/**
 * Every file that the page may request, by path below the folder, with its digest for subresource integrity.
 */
function buildIn(folder) {
  const files = Object.fromEntries(
    filesIn(folder).map((file) => [file, `sha256-${sha256(readFileSync(join(folder, file)), 'base64')}`]),
  );
  return { version: sha256(JSON.stringify(files), 'hex').slice(0, 16), files };
}

function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== SERVICE_WORKER)
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
    .sort();
}

function sha256(content, encoding) {
  return createHash('sha256').update(content).digest(encoding);
}
