// Records which checks passed: a digest of all inputs for each, in the cache that all checkouts
// share.
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { cacheRoot } from '../setup/cache.mjs';
import { requireTrusted } from '../setup/trust.mjs';

const KEPT_FOR_MS = 30 * 24 * 3600 * 1000;

/**
 * @typedef {object} Passes
 * @property {(digest: string) => boolean} has
 * @property {(digest: string) => string} note the note that was passed to add()
 * @property {(digest: string, note?: string) => void} add
 */

/**
 * Returns the recorded passes of one kind. If the cache cannot be trusted or written, there are
 * none and none are recorded.
 * @param {string} kind
 * @returns {Passes}
 */
export function passesOf(kind) {
  const folder = join(cacheRoot(), kind);
  try {
    requireTrusted(folder, cacheRoot());
    return passesIn(folder);
  } catch (error) {
    console.log(`Earlier passes are unknown: ${error.message}`);
    return { has: () => false, note: () => '', add: () => undefined };
  }
}

/**
 * Returns the passes recorded in a folder. Removes those that were not used for 30 days.
 * @param {string} folder
 * @returns {Passes}
 */
export function passesIn(folder) {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const oldestMs = Date.now() - KEPT_FOR_MS;
  for (const name of readdirSync(folder))
    if (statSync(join(folder, name)).mtimeMs < oldestMs) rmSync(join(folder, name), { force: true });
  const known = new Set(readdirSync(folder));
  return {
    has(digest) {
      if (!known.has(digest)) return false;
      const now = new Date();
      utimesSync(join(folder, digest), now, now);
      return true;
    },
    note: (digest) => readFileSync(join(folder, digest), 'utf8'),
    add(digest, note = '') {
      writeFileSync(join(folder, digest), note);
      known.add(digest);
    },
  };
}
