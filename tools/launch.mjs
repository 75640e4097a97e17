// Starts every program of tools/. An outdated Node must print an error before it loads modules that
// it cannot parse. So this file and its users are written in old JavaScript and import nothing
// else.
import './node-version.cjs';

/**
 * Exit codes of programs that could not run (docs/reference/command-line.md). For the engine's command line, 1 means a
 * broken invariant.
 */
var FAILED = { latchscope: 3 };

/**
 * Runs `main` of tools/commands/<name>.mjs. The arguments in `first` precede those of the command
 * line.
 */
export function launch(name, ...first) {
  var failed = FAILED[name] || 1;
  import('./program.mjs').then(
    function (program) {
      function load() {
        return import('./commands/' + name + '.mjs');
      }
      return program.runProgram(load, first, failed);
    },
    function (error) {
      process.stderr.write('Failed: ' + error.message + '\n');
      process.exit(failed);
    },
  );
}
