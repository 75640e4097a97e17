/** Small programs that show whether a compiler is complete; each throws when it is not. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { undoneIfInterrupted } from '../interruption.mjs';
import { run } from './commands.mjs';
import { step } from './progress.mjs';

const PROGRAM = '#include <thread>\nint main() { std::thread([] {}).join(); }\n';

/**
 * Links what the engine links, which also builds any system library that is not there yet.
 * @param {string} title
 * @param {{ emxx: string, env: Record<string, string> }} emscripten
 */
export async function tryEmscripten(title, { emxx, env }) {
  const flags = ['-std=c++20', '-pthread', '-sMODULARIZE', '-sEXPORT_ES6'];
  await withProgram(title, async (source, folder) => {
    for (const [output, more] of Object.entries({
      'fast.mjs': ['-O2'],
      'debug.mjs': ['-O0', '-g', '-sASSERTIONS'],
    })) {
      await run(emxx, [source, '-o', join(folder, output), ...flags, ...more], {
        env: { ...process.env, ...env },
      });
    }
  });
}

/**
 * Builds and runs what the engine's tests need: C++20, threads and the sanitizers.
 * @param {string} title
 * @param {{ cxx: string, env: Record<string, string> }} clang
 */
export async function tryClang(title, { cxx, env }) {
  const options = { env: { ...process.env, ...env } };
  await withProgram(title, async (source, folder) => {
    const program = join(folder, 'program');
    for (const flags of [[], ['-fsanitize=thread'], ['-fsanitize=address,undefined']]) {
      await run(cxx, ['-std=c++20', '-pthread', ...flags, source, '-o', program], options);
      await run(program, [], options);
    }
  });
}

async function withProgram(title, work) {
  const folder = mkdtempSync(join(tmpdir(), 'latchscope-smoke-'));
  const source = join(folder, 'program.cc');
  writeFileSync(source, PROGRAM);
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    await undoneIfInterrupted(remove, () => step(title, () => work(source, folder)));
  } finally {
    remove();
  }
}
