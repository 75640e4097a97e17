// The program `latchscope` on the virtual server, without a compiler: node latchscope.mjs ARGUMENTS.
// The engine is beside this file, or in the folder of LATCHSCOPE_ENGINE.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { ENGINE_FAILED, runCommandLine } from './command-line.mjs';

const folder = process.env.LATCHSCOPE_ENGINE ?? fileURLToPath(new URL('.', import.meta.url));
const engine = { script: join(folder, 'latchscope-cli.mjs'), wasm: join(folder, 'latchscope-cli.wasm') };
let code = ENGINE_FAILED;
try {
  code = await runCommandLine(process.argv.slice(2), engine);
} catch (error) {
  process.stderr.write(`latchscope: the engine could not be started: ${error.message}\n`);
}
process.exit(code); // A normal return would first restore the signals' default actions.
