// The library that makes a server's disk slow, compiled once.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { repository, runCommand } from '../processes.mjs';
import { which } from '../setup/commands.mjs';
import { ensureNativeToolchain } from '../setup/index.mjs';

const SOURCE = fileURLToPath(new URL('./slow-disk.c', import.meta.url));

/** @returns {Promise<string>} path of the library; the machine's own compiler will do */
export async function ensureSlowDisk() {
  const folder = join(repository, 'build', 'real-servers');
  mkdirSync(folder, { recursive: true });
  const library = join(folder, 'slow-disk.so');
  const cc = which(['cc', 'gcc', 'clang']) ?? (await ensureNativeToolchain()).cc;
  const options = ['-O2', '-shared', '-fPIC', '-o', library, SOURCE, '-ldl'];
  await runCommand(cc, options, { quietUnlessFailed: true });
  return library;
}
