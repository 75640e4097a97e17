// Follows docs/guide/adding-a-bug.md word for word in a copy of the project: writes its files, runs its commands
// and compares what they print. The first line of a code block says what it is:
//   ```json path              a new file
//   ```cpp path below text    lines to add to a file, below the one line that holds `text`
//   ```sh run                 commands, run in the copy
//   ```text printed           lines, each the beginning of one that the commands above printed
// Other blocks are ignored.
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';

import { nativeFlavours } from '../builds.mjs';
import { readArguments } from '../command-line.mjs';
import { undoneIfInterrupted } from '../interruption.mjs';
import { CommandFailed, commandOutput, repository, runCommand } from '../processes.mjs';
import { ensureNativeToolchain, ensureNodeModules } from '../setup/index.mjs';

// web/build/ is source.
const NOT_COPIED_AT_TOP = ['.git', 'node_modules', 'build', 'dist', 'test-results', 'playwright-report'];
const NOT_COPIED_ANYWHERE = ['gen'];

/**
 * The engine is compiled twice in full, since every file includes the counters, so this uses the quickest
 * build.
 */
const LEAST_TIME = { CMAKE_BUILD_TYPE: 'Debug', LATCHSCOPE_FILES: 'together' };
const environment = { ...process.env, ...LEAST_TIME };

/** Thrown when the document does not fit the copy. */
export class DocumentError extends Error {}

/**
 * @param {string} markdown
 * @returns {{ line: number, info: string, text: string }[]} the code blocks; `info` is the first line after the language
 */
export function codeBlocks(markdown) {
  return [...markdown.matchAll(/^```\w+ ?([^\n]*)\n([\s\S]*?)^```$/gm)].map((match) => ({
    line: markdown.slice(0, match.index).split('\n').length,
    info: match[1].trim(),
    text: match[2],
  }));
}

/** Adds lines to `source`, below the one line that holds `text`. */
export function addBelow(source, text, lines) {
  const parts = source.split('\n');
  const places = parts.flatMap((part, i) => (part.includes(text) ? [i] : []));
  if (places.length !== 1)
    throw new DocumentError(`${places.length} lines hold "${text}"; allowed: exactly one`);
  parts.splice(places[0] + 1, 0, ...lines.replace(/\n$/, '').split('\n'));
  return parts.join('\n');
}

/** @returns {string[]} lines of `expected` that no line of `printed` begins with */
export function linesNotPrinted(expected, printed) {
  const lines = printed.split('\n');
  return expected.split('\n').filter((wanted) => !lines.some((line) => line.startsWith(wanted)));
}

function copyProject(copy) {
  cpSync(repository, copy, {
    recursive: true,
    filter: (path) =>
      !NOT_COPIED_AT_TOP.includes(relative(repository, path)) &&
      !NOT_COPIED_ANYWHERE.includes(basename(path)),
  });
  symlinkSync(join(repository, 'node_modules'), join(copy, 'node_modules'));
}

function writeFileOfBlock(copy, { info, text }) {
  const [path, below] = info.split(' below ');
  const file = join(copy, path);
  if (below !== undefined) {
    writeFileSync(file, addBelow(readFileSync(file, 'utf8'), below, text));
    return;
  }
  if (existsSync(file)) throw new DocumentError(`${path} exists already`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

async function runCommands(copy, { line, text }) {
  process.stdout.write(text.replaceAll(/^(?=.)/gm, '$ '));
  try {
    const printed = await commandOutput('sh', ['-e', '-c', text], { cwd: copy, env: environment });
    process.stdout.write(printed);
    return printed;
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    throw new DocumentError(`line ${line}: the commands ended with ${error.outcome}\n${error.output}`);
  }
}

// The commands of the document build only the command line. Its tests are compiled here.
async function compileTests(copy, tests) {
  const { cmake, env } = await ensureNativeToolchain();
  const folder = join(copy, 'build', nativeFlavours.native.folder);
  if (!existsSync(folder)) throw new DocumentError('no command of the document builds the engine');
  const options = { env: { ...environment, ...env }, quietUnlessFailed: true };
  // Configure again to find the tests written since then.
  await runCommand(cmake, [folder], options);
  const targets = tests.map((path) => `CMakeFiles/engine_tests.dir/Unity/${unitOf(path, folder)}.o`);
  await runCommand(cmake, ['--build', folder, '--target', ...targets], options);
}

/** The file to compile for it: the build is a unity build. */
function unitOf(test, folder) {
  const units = join(folder, 'CMakeFiles/engine_tests.dir/Unity');
  const unit = readdirSync(units).find((name) => readFileSync(join(units, name), 'utf8').includes(test));
  if (unit === undefined) throw new DocumentError(`${test} is not among the engine's tests`);
  return unit;
}

async function follow(blocks, copy) {
  let printed = '';
  for (const block of blocks) {
    if (block.info === 'run') printed += await runCommands(copy, block);
    else if (block.info === 'printed') requirePrinted(block, printed);
    else if (block.info !== '') writeFileOfBlock(copy, block);
  }
  const tests = blocks.map(({ info }) => info).filter((info) => info.endsWith('_test.cc'));
  await compileTests(copy, tests);
}

function requirePrinted({ line, text }, printed) {
  const missing = linesNotPrinted(text.replace(/\n$/, ''), printed);
  if (missing.length > 0) throw new DocumentError(`line ${line}: not printed: ${missing.join('\n')}`);
}

export async function main(args) {
  readArguments(args, {});
  await ensureNodeModules();
  const folder = mkdtempSync(join(tmpdir(), 'latchscope-adding-a-bug-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    await undoneIfInterrupted(remove, () => followIn(join(folder, 'latchscope')));
  } finally {
    remove();
  }
}

async function followIn(copy) {
  const document = 'docs/guide/adding-a-bug.md';
  try {
    copyProject(copy);
    await follow(codeBlocks(readFileSync(join(repository, document), 'utf8')), copy);
    console.log(`${document}: followed to the letter`);
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    console.error(`${document}: ${error.message}`);
    process.exitCode = 1;
  }
}
