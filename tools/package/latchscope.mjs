// The program `latchscope` of the npm package. It serves the page, compiles and judges latches, and
// passes all other commands to the command line in WebAssembly.
import { writeSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { ENGINE_FAILED, runCommandLine } from '../node-engine/command-line.mjs';
import { runProgram } from '../program.mjs';
import { engineProgram } from './engine-program.mjs';
import { SERVE_USAGE } from './serve-usage.mjs';

const [command, ...rest] = process.argv.slice(2);

const isServe = command === undefined || command === 'serve' || /^--(port|open)(=|$)/.test(command);
/** Commands that take the sources of a workload and of a latch. */
const ofSpec = ['run', 'what-if', 'explain', 'diff'];
const isOfSources = (arg, place) =>
  /^(-h|--help|--ideal-machine|--your-latch(=.*)?)$/.test(arg) || (place === 0 && !arg.startsWith('-'));
/** `check`, and the compilers of latches and workloads, are JavaScript. */
const isJavaScript =
  ['check', 'import', 'lab'].includes(command) ||
  (ofSpec.includes(command) && rest.some(isOfSources)) ||
  rest.some((arg) => arg.endsWith('.workload'));

if (isServe) {
  const options = command === 'serve' ? rest : process.argv.slice(2);
  const load = async () => ({ main: async () => (await import('./serve-page.mjs')).main(options) });
  await runProgram(load);
} else if (isJavaScript) {
  const load = async () => {
    const { runEngineCommand } = await import('../engine-command.mjs');
    return { main: (args) => runEngineCommand(args, engineProgram) };
  };
  await runProgram(load, ENGINE_FAILED);
} else {
  const code = await runEngine([command, ...rest]);
  if (code === 0 && /^(-h|--help)$/.test(command)) writeSync(1, `\n${SERVE_USAGE}`);
  process.exit(code);
}

async function runEngine(args) {
  const beside = (name) => fileURLToPath(new URL(`./${name}`, import.meta.url));
  try {
    return await runCommandLine(args, {
      script: beside('latchscope-cli.mjs'),
      wasm: beside('latchscope-cli.wasm'),
    });
  } catch (error) {
    process.stderr.write(`latchscope: the engine could not be started: ${error.message}\n`);
    return ENGINE_FAILED;
  }
}
