// Checks that a compiler works.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { undoneIfInterrupted } from '../interruption.mjs';
import { run } from './commands.mjs';
import { step } from './progress.mjs';

const PROGRAM = '#include <thread>\nint main() { std::thread([] {}).join(); }\n';

/**
 * Builds a small threaded C++20 program with each list of options, to check that a compiler is
 * complete. Also runs the program if it is native. Throws if any of that fails.
 */
export async function tryCompiler(title, { cxx, env }, variants, output = 'program') {
  const folder = mkdtempSync(join(tmpdir(), 'latchscope-smoke-'));
  const [source, program] = [join(folder, 'program.cc'), join(folder, output)];
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const build = async () => {
    writeFileSync(source, PROGRAM);
    for (const options of variants) {
      await run(cxx, ['-std=c++20', '-pthread', source, '-o', program, ...options], { env });
      if (output === 'program') await run(program, [], { env });
    }
  };
  try {
    await undoneIfInterrupted(remove, () => step(title, build));
  } finally {
    remove();
  }
}
