// Runs a command of tools/commands: node tools/cli.mjs COMMAND [ARGUMENT ...]
// An outdated Node must print an error before it loads modules that it cannot parse. So this file
// is written in old JavaScript and first imports only the check of the version.
import './node-version.cjs';
import { readdirSync } from 'fs';

/**
 * Exit codes of commands that could not run (docs/reference/command-line.md). For the engine's
 * command line, 1 means a broken invariant.
 */
var FAILED = { latchscope: 3 };

var name = process.argv[2];
var commands = readdirSync(new URL('commands/', import.meta.url))
  .filter(function (file) {
    return /^[\w-]+\.mjs$/.test(file);
  })
  .map(function (file) {
    return file.replace('.mjs', '');
  });

if (commands.indexOf(name) === -1) {
  var got = name === undefined ? 'nothing' : JSON.stringify(name.slice(0, 60));
  process.stderr.write('command: got ' + got + '; allowed: ' + commands.join(', ') + '\n');
  process.exit(2);
}

import('./program.mjs').then(
  function (program) {
    function load() {
      return import('./commands/' + name + '.mjs');
    }
    return program.runProgram(load, FAILED[name], process.argv.slice(3));
  },
  function (error) {
    process.stderr.write('Failed: ' + error.message + '\n');
    process.exit(FAILED[name] || 1);
  },
);
