// How each program in tools/ begins: an old Node says so before it meets the rest, which it may not even be able to read. So
// this file, and those that use it, are in old JavaScript and import nothing else.
import './node-version.cjs';

/** Runs `main` of tools/commands/<name>.mjs; `first` are arguments before those that were given. */
export function launch(name, ...first) {
  import('./program.mjs').then(function (program) {
    return program.runProgram(function () {
      return import('./commands/' + name + '.mjs');
    }, first);
  });
}
