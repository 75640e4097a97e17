/**
 * Prints where each part of the toolchain comes from, or how to get it.
 *
 *   node tools/cli.mjs doctor [--all]
 *   --all   sets up everything first
 */

import { readArguments } from '../command-line.mjs';
import { chromium } from '../setup/browsers.mjs';
import { cacheRoot } from '../setup/cache.mjs';
import { cmake } from '../setup/cmake.mjs';
import { compilerCache } from '../setup/compiler-cache.mjs';
import { cppLibraries } from '../setup/cpp-libraries.mjs';
import { emscripten } from '../setup/emscripten.mjs';
import { clang } from '../setup/native-toolchain.mjs';
import { ensureNodeModules, isUpToDate } from '../setup/node-modules.mjs';
import { SetupError } from '../setup/progress.mjs';

const PARTS = [emscripten, cmake, clang({ tidy: true, format: true }), cppLibraries, chromium];
/** Builds work without these parts. */
const OPTIONAL_PARTS = [compilerCache];

async function setUpEverything() {
  await ensureNodeModules();
  for (const { ensure } of PARTS) await ensure();
  for (const { ensure } of OPTIONAL_PARTS)
    await ensure().catch((error) => {
      if (!(error instanceof SetupError)) throw error;
    });
}

async function describeMachine() {
  console.log(`Node ${process.version} on ${process.platform} ${process.arch}; cache: ${cacheRoot()}`);
  console.log(`npm packages: ${isUpToDate() ? 'up to date' : 'missing or outdated; npm ci installs them'}`);
  for (const { title, ways } of [...PARTS, ...OPTIONAL_PARTS]) await describePart(title, ways);
}

async function describePart(title, ways) {
  const refusals = [];
  for (const { name, get } of ways.filter(({ installs }) => !installs)) {
    try {
      const { source = name, ...found } = await get();
      console.log(`\n${title}: ${source}`);
      printFacts(found);
      return;
    } catch (error) {
      refusals.push(`  not from ${name}: ${error.message}`);
    }
  }
  const installers = ways.filter(({ installs }) => installs).map(({ name }) => name);
  console.log(`\n${title}: not found; the set-up would try, in this order: ${installers.join(', ')}`);
  console.log(refusals.join('\n'));
}

function printFacts(found) {
  for (const [name, value] of Object.entries(found)) {
    if (typeof value === 'string') console.log(`  ${name}: ${value}`);
  }
}

export async function main(args) {
  const { values } = readArguments(args, { all: { type: 'boolean', default: false } });
  if (values.all) await setUpEverything();
  await describeMachine();
}
