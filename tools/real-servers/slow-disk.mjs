// Compiles the library that slows down a server's disk.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { repository, runCommand } from '../processes.mjs';
import { which } from '../setup/commands.mjs';
import { ensureNativeToolchain } from '../setup/index.mjs';

const SOURCE = fileURLToPath(new URL('./slow-disk.c', import.meta.url));

/** @returns {Promise<string>} path of the library; any C compiler of the machine can build it */
export async function ensureSlowDisk() {
  const folder = join(repository, 'build', 'real-servers');
  mkdirSync(folder, { recursive: true });
  const library = join(folder, 'slow-disk.so');
  const cc = which(['cc', 'gcc', 'clang']) ?? (await ensureNativeToolchain()).cc;
  const options = ['-std=c99', '-D_DEFAULT_SOURCE', '-O2', '-Wall', '-Werror', '-shared', '-fPIC'];
  await runCommand(cc, [...options, '-o', library, SOURCE], { quietUnlessFailed: true });
  return library;
}
