// Runs the command line, compiled to WebAssembly, in this Node.js. The main thread keeps its event
// loop: it starts the workers and handles signals. The workers run the engine and block.
import { readFileSync, rmSync } from 'node:fs';
import { constants } from 'node:os';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';

import { Connection, Program } from './shared.mjs';

const WORKER = new URL('./worker.mjs', import.meta.url);
export const ENGINE_FAILED = 3; // wasm-engine/cli/output.h
const END_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
/** Signals of one key press: from the terminal, and again through npm (wasm-engine/cli/host.h). */
const SAME_KEY_PRESS_MS = 500;
const PARENT_CHECKED_EVERY_MS = 500;

/**
 * Runs the command line to its end. A signal can end the process, as cli/host.h describes.
 *
 * REQUIRES: Nothing reads `process.stdin` or writes to `process.stdout`; called once per process.
 * @param {string[]} args
 * @param {{ script: string, wasm: string }} engine paths of `latchscope-cli.mjs` and its module
 * @returns {Promise<number>} the exit code
 */
export async function runCommandLine(args, { script, wasm }) {
  const program = new Program();
  handleSignals(program);
  const module = await WebAssembly.compile(readFileSync(wasm));
  const common = { program: program.memory, module, script: pathToFileURL(script).href };
  const copies = new Map();

  const start = (data, ended) => {
    const worker = new Worker(WORKER, { workerData: { ...common, ...data } });
    let exitCode;
    worker.on('error', (error) => {
      process.stderr.write(`latchscope: the engine stopped: ${error.message}\n`);
      exitCode = ENGINE_FAILED;
    });
    worker.on('exit', (code) => ended(exitCode ?? code));
    return worker;
  };
  const startCopy = (copy, data) => {
    const connection = new Connection(program, { isOfCopy: false, memory: data.connection });
    try {
      copies.set(
        copy,
        start(data, (code) => connection.end(code)),
      );
    } catch (error) {
      process.stderr.write(`latchscope: cannot start a process: ${error.message}\n`);
      connection.end(ENGINE_FAILED);
    }
  };
  const endCopy = (copy) => {
    void copies.get(copy)?.terminate();
    copies.delete(copy);
  };

  return new Promise((resolve) => {
    const main = start({ args }, resolve);
    main.on('message', (message) => {
      if (message.start !== undefined) startCopy(message.start, message);
      if (message.end !== undefined) endCopy(message.end);
      if (message.endWithParent !== undefined) endWithParent(message.endWithParent);
    });
  });
}

function handleSignals(program) {
  let firstCameMs;
  for (const signal of END_SIGNALS) {
    process.on(signal, () => {
      if (program.isRunning && program.firstSignal === 0) {
        firstCameMs = performance.now();
        program.firstSignal = constants.signals[signal];
      } else if (!program.isRunning || performance.now() > firstCameMs + SAME_KEY_PRESS_MS) {
        endAtOnce(program, signal);
      }
    });
  }
}

/** Ends the process by the signal itself. */
function endAtOnce(program, signal) {
  const file = program.fileToRemove;
  if (file !== '') rmSync(file, { force: true });
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}

/** Ends the program as by SIGTERM when its parent process has ended. */
function endWithParent(parent) {
  const check = () => {
    if (process.ppid === parent) return;
    clearInterval(checks);
    process.kill(process.pid, 'SIGTERM');
  };
  const checks = setInterval(check, PARENT_CHECKED_EVERY_MS);
  checks.unref();
  check();
}
