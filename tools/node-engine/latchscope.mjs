// The program `latchscope` on the virtual server, without a compiler: node latchscope.mjs ARGUMENTS.
// The engine is beside this file, or in the folder of LATCHSCOPE_ENGINE.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { runCommandLine } from './command-line.mjs';

const folder = process.env.LATCHSCOPE_ENGINE ?? fileURLToPath(new URL('.', import.meta.url));
const code = await runCommandLine(process.argv.slice(2), {
  script: join(folder, 'latchscope-cli.mjs'),
  wasm: join(folder, 'latchscope-cli.wasm'),
});
process.exit(code); // A normal return would first restore the signals' default actions.
