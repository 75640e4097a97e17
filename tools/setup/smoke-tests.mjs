// Checks that a compiler works.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { inTemporaryFolder } from '../interruption.mjs';
import { run } from './commands.mjs';
import { step } from './progress.mjs';

const PROGRAM = '#include <thread>\nint main() { std::thread([] {}).join(); }\n';

/**
 * Builds a small threaded C++20 program with each list of options, to check that a compiler is
 * complete. Also runs the program if it is native. Throws if any of that fails.
 */
export function tryCompiler(title, { cxx, env }, variants, output = 'program') {
  const buildIn = async (folder) => {
    const [source, program] = [join(folder, 'program.cc'), join(folder, output)];
    writeFileSync(source, PROGRAM);
    for (const options of variants) {
      await run(cxx, ['-std=c++20', '-pthread', source, '-o', program, ...options], { env });
      if (output === 'program') await run(program, [], { env });
    }
  };
  return inTemporaryFolder('smoke', (folder) => step(title, () => buildIn(folder)));
}
