// Replaces ../engine-program.mjs in the npm package, which has the command line in WebAssembly
// only.
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('./engine.mjs', import.meta.url));

/** @returns {Promise<string[]>} the program and its first arguments, for either platform */
export const engineProgram = async () => [process.execPath, PROGRAM];
