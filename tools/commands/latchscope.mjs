// npm run latchscope: builds the native command line if necessary and passes the arguments on. Each
// platform has its own program. The option --platform or the run spec selects it; `what-if`,
// `explain` and `diff` default to the virtual platform. docs/reference/command-line.md lists the exit
// codes.
import { runEngineCommand } from '../engine-command.mjs';
import { engineProgram } from '../engine-program.mjs';

export async function main(args) {
  await runEngineCommand(args, engineProgram);
}
