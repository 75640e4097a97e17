// The start of every program in tools/. An old Node must get an error message before it loads the rest, which
// it may not be able to parse. So this file, and the files that use it, are in old JavaScript and import
// nothing else.
import './node-version.cjs';

/** Exit codes of a program that could not run (docs/reference/command-line.md). For the engine's command line 1 has another meaning. */
var FAILED = { latchscope: 3 };

/** Runs `main` of tools/commands/<name>.mjs. `first` are arguments to put before the given ones. */
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
