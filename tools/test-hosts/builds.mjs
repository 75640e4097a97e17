// Makes variants of the built page without building it again, to test updates.
import { cpSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { SERVICE_WORKER, serviceWorkerOf } from '../kept-files.mjs';
import { repository } from '../processes.mjs';

export const dist = join(repository, 'dist');

/**
 * Makes a build whose asset names all differ from those of dist/. Its page has `mark` as
 * `data-build`.
 * @param {string} folder target folder
 * @param {string} mark
 */
export function makeBuild(folder, mark) {
  cpSync(dist, folder, { recursive: true });
  renameAssets(folder, mark);
  const page = readText(folder, 'index.html').replace('<html ', `<html data-build="${mark}" `);
  writeFileSync(join(folder, 'index.html'), page);
  const [, code] = readText(folder, SERVICE_WORKER).split(/^const BUILD = .*\n/);
  writeFileSync(join(folder, SERVICE_WORKER), serviceWorkerOf(folder, code));
}

/**
 * Returns the name of a file of the page.
 * @param {string} folder
 * @param {RegExp} pattern
 * @returns {string}
 */
export function fileLike(folder, pattern) {
  return filesIn(folder).find((file) => pattern.test(file));
}

function renameAssets(folder, mark) {
  const names = readdirSync(join(folder, 'assets'));
  const renamed = (name) => name.replace(/\.\w+$/, (ending) => `-${mark}${ending}`);
  for (const file of filesIn(folder).filter((name) => /\.(html|js|css)$/.test(name))) {
    const text = names.reduce((soFar, name) => soFar.replaceAll(name, renamed(name)), readText(folder, file));
    writeFileSync(join(folder, file), text);
  }
  for (const name of names) renameSync(join(folder, 'assets', name), join(folder, 'assets', renamed(name)));
}

function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}

const readText = (folder, file) => readFileSync(join(folder, file), 'utf8');
