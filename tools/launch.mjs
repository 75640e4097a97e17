// The start of every program in tools/. An old Node must get an error message before it loads the rest, which
// it may not be able to parse. So this file, and the files that use it, are in old JavaScript and import
// nothing else.
import './node-version.cjs';

/** Runs `main` of tools/commands/<name>.mjs. `first` are arguments to put before the given ones. */
export function launch(name, ...first) {
  import('./program.mjs').then(function (program) {
    return program.runProgram(function () {
      return import('./commands/' + name + '.mjs');
    }, first);
  });
}
