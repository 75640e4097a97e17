// Follows docs/guide/adding-a-bug.md literally in a copy of the project: writes its files, runs its
// commands and compares their output. The first line of a code block states its role:
//   ```json PATH              a new file
//   ```cpp PATH below TEXT    lines to insert into a file, below the only line that contains TEXT
//   ```sh run                 commands to run in the copy
//   ```text printed           each line is the start of a line that the commands above printed
// Other blocks are ignored.
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';

import { nativeFlavours } from '../builds.mjs';
import { readArguments } from '../command-line.mjs';
import { inTemporaryFolder } from '../interruption.mjs';
import { CommandFailed, commandOutput, repository, runCommand } from '../processes.mjs';
import { ensureNativeToolchain, ensureNodeModules } from '../setup/index.mjs';

// web/build/ is source, so `build` is skipped only at the top.
const NOT_COPIED_AT_TOP = ['.git', 'node_modules', 'build', 'dist', 'test-results', 'playwright-report'];
const NOT_COPIED_ANYWHERE = ['gen'];

/**
 * Uses the fastest build, because the engine is compiled twice completely: every file includes the
 * counters.
 */
const LEAST_TIME = { CMAKE_BUILD_TYPE: 'Debug', LATCHSCOPE_FILES: 'together' };
const environment = { ...process.env, ...LEAST_TIME };

/** Thrown when a step of the document does not work in the copy. */
export class DocumentError extends Error {}

/**
 * @param {string} markdown
 * @returns {{ line: number, info: string, text: string }[]} the code blocks; `info` is the first
 *   line after the language
 */
export function codeBlocks(markdown) {
  return [...markdown.matchAll(/^```\w+ ?([^\n]*)\n([\s\S]*?)^```$/gm)].map((match) => ({
    line: markdown.slice(0, match.index).split('\n').length,
    info: match[1].trim(),
    text: match[2],
  }));
}

/** Inserts lines into `source`, below the only line that contains `text`. */
export function addBelow(source, text, lines) {
  const parts = source.split('\n');
  const places = parts.flatMap((part, i) => (part.includes(text) ? [i] : []));
  if (places.length !== 1)
    throw new DocumentError(`${places.length} lines contain "${text}"; allowed: exactly one`);
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
  if (existsSync(file)) throw new DocumentError(`${path} already exists`);
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

// The document's commands build only the command line, so the new tests are compiled here.
async function compileTests(copy, tests) {
  const { cmake, env } = await ensureNativeToolchain();
  const folder = join(copy, 'build', nativeFlavours.native.folder);
  if (!existsSync(folder)) throw new DocumentError('no command in the document builds the engine');
  const options = { env: { ...environment, ...env }, quietUnlessFailed: true };
  // Configure again to find the tests that were written since.
  await runCommand(cmake, [folder], options);
  const targets = tests.map((path) => `CMakeFiles/engine_tests.dir/Unity/${unitOf(path, folder)}.o`);
  await runCommand(cmake, ['--build', folder, '--target', ...targets], options);
}

/** Returns the unity source that contains a test. */
function unitOf(test, folder) {
  const units = join(folder, 'CMakeFiles/engine_tests.dir/Unity');
  const unit = readdirSync(units).find((name) => readFileSync(join(units, name), 'utf8').includes(test));
  if (unit === undefined) throw new DocumentError(`${test} is not compiled into the engine's tests`);
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
  await inTemporaryFolder('adding-a-bug', (folder) => followIn(join(folder, 'latchscope')));
}

async function followIn(copy) {
  const document = 'docs/guide/adding-a-bug.md';
  try {
    copyProject(copy);
    await follow(codeBlocks(readFileSync(join(repository, document), 'utf8')), copy);
    console.log(`${document}: every step works`);
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    console.error(`${document}: ${error.message}`);
    process.exitCode = 1;
  }
}
