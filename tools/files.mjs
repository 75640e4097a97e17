// Writes files atomically, so that no reader sees a half-written file.
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

import { usageError } from './command-line.mjs';
import { OutputRefused } from './processes.mjs';

const NAME_BYTES_MAX = 255;

/**
 * Replaces a file atomically: writes a temporary file beside it, then renames it. Writes directly
 * if the path is not a regular file, such as a terminal.
 * @param {string} path
 * @param {string | Buffer} content
 */
export function writeWhole(path, content) {
  const present = statSync(path, { throwIfNoEntry: false });
  if (present !== undefined && !present.isFile()) {
    writeToStream(path, content, present);
    return;
  }
  const place = present === undefined ? path : realpathSync(path);
  const partial = nameBeside(place);
  try {
    writeFileSync(partial, content, present === undefined ? {} : { mode: present.mode });
    renameSync(partial, place);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
}

/** Throws immediately if no program reads the pipe, instead of waiting for a reader. */
function writeToStream(path, content, status) {
  const pipe = status.isFIFO() ? openSync(path, constants.O_WRONLY | constants.O_NONBLOCK) : undefined;
  try {
    writeFileSync(path, content);
  } finally {
    if (pipe !== undefined) closeSync(pipe);
  }
}

/**
 * Returns a path in the same folder. Its name is the original name, shortened if necessary, plus a
 * suffix.
 */
function nameBeside(place) {
  const suffix = `.partial-${process.pid}`;
  let name = basename(place);
  while (Buffer.byteLength(name + suffix) > NAME_BYTES_MAX) name = name.slice(0, -1);
  return join(dirname(place), name + suffix);
}

/**
 * Writes a file of the repository, formatted as by `npm run format`.
 * @param {string} path
 * @param {string} content
 */
export async function writeFormatted(path, content) {
  writeWhole(path, await formatted(path, content));
}

/**
 * Formats a file of the repository as `npm run format` does.
 * @param {string} path
 * @param {string} content
 */
export async function formatted(path, content) {
  // Imported here: npm packages may not be installed yet.
  const { format, resolveConfig } = await import('prettier');
  return format(content, { ...(await resolveConfig(path)), filepath: path });
}

/**
 * Writes a value as JSON. Writes nothing if `target` is undefined.
 * @param {string | undefined} target the value of `--json`: a path, or - for standard output
 */
export function writeJson(target, value) {
  const json = `${JSON.stringify(value, null, 2)}\n`;
  if (target === '-') process.stdout.write(json);
  else if (target !== undefined) writeWhole(target, json);
}

/**
 * Writes `content` only if it differs, so that nothing is rebuilt unnecessarily. Creates the
 * folder.
 */
export function writeIfChanged(path, content) {
  if (existsSync(path) && readFileSync(path).equals(Buffer.from(content))) return;
  mkdirSync(dirname(path), { recursive: true });
  writeWhole(path, content);
}

/**
 * Checks before a long run that its results can be written. Throws OutputRefused if not.
 * @param {string} option the option that names this path
 * @param {string} path
 */
export function requireWritable(option, path) {
  const fault = faultOf(path);
  if (fault !== null) throw new OutputRefused(usageError(option, path, fault).message);
}

function faultOf(path) {
  try {
    const present = statSync(path, { throwIfNoEntry: false });
    if (present?.isDirectory()) return 'a file, not a folder';
    const folder = dirname(resolve(path));
    if (!existsSync(folder)) return 'a file in an existing folder';
    accessSync(present === undefined || present.isFile() ? folder : path, constants.W_OK);
    return null;
  } catch (error) {
    return `a file that you can write (${error.code})`;
  }
}

/**
 * Replaces a folder with another. If both have the same content, only removes `folder`.
 *
 * REQUIRES: Both folders are in the same file system.
 * @param {string} folder
 * @param {string} place
 */
export function replaceFolder(folder, place) {
  if (existsSync(place) && holdTheSame(folder, place)) {
    rmSync(folder, { recursive: true });
    return;
  }
  const old = `${folder}-old`;
  rmSync(old, { recursive: true, force: true });
  if (existsSync(place)) renameSync(place, old);
  renameSync(folder, place);
  rmSync(old, { recursive: true, force: true });
}

function holdTheSame(one, other) {
  const files = filesIn(one);
  return (
    files.join('\n') === filesIn(other).join('\n') &&
    files.every((file) => readFileSync(join(one, file)).equals(readFileSync(join(other, file))))
  );
}

function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length))
    .sort();
}
