// A process of the command line: the first one, which runs `main`, or a copy of another worker.
import { availableParallelism } from 'node:os';
import { writeSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';

import { files } from './files.mjs';
import { Connection, Program } from './shared.mjs';

const PARENT = 0;
const ENGINE_FAILED = 3; // wasm-engine/cli/output.h

const program = new Program(workerData.program);
/** By their numbers in cli/host_node.cc. */
const connections = new Map();
if (workerData.connection !== undefined) {
  connections.set(PARENT, new Connection(program, { isOfCopy: true, memory: workerData.connection }));
}
let copies = PARENT;

/** What wasm-engine/cli/host_node.js imports. */
const host = {
  files,
  processId: () => process.pid,
  cores: availableParallelism,

  startCopy({ work, stackPointer, memory }) {
    const copy = ++copies;
    try {
      const image = new Uint8Array(new SharedArrayBuffer(memory.length));
      image.set(memory);
      const connection = new Connection(program, { isOfCopy: false });
      parentPort.postMessage({
        start: copy,
        connection: connection.memory,
        copied: { work, stackPointer, image },
      });
      connections.set(copy, connection);
      return copy;
    } catch (error) {
      if (error instanceof RangeError) return -1;
      throw error;
    }
  },
  endCopy(copy) {
    parentPort.postMessage({ end: copy });
    connections.delete(copy);
  },
  awaitOne: (started) =>
    program.await(() => {
      const index = started.findIndex((copy) => connections.get(copy).hasEnded);
      return index < 0 ? undefined : index;
    }),
  exitCode: (copy) => connections.get(copy).exitCode,
  read: (connection, target) => connections.get(connection).read(target),
  write: (connection, source) => connections.get(connection).write(source),

  endWithParent: (parent) => parentPort.postMessage({ endWithParent: parent }),
  runBegins: () => program.runBegins(),
  firstSignal: () => program.firstSignal,
  removeAtEnd: (path) => (program.fileToRemove = path),
};

/** Ends the process as C++ or a trap does. */
function endAs(error) {
  if (error?.name === 'ExitStatus') process.exit(error.status);
  writeSync(2, `latchscope: the engine stopped: ${error?.message ?? error}\n`);
  process.exit(ENGINE_FAILED);
}

try {
  const { default: createCommandLine } = await import(workerData.script);
  const commandLine = await createCommandLine({
    host,
    thisProgram: 'latchscope',
    instantiateWasm(imports, instantiated) {
      const instance = new WebAssembly.Instance(workerData.module, imports);
      instantiated(instance, workerData.module);
      return instance.exports;
    },
    // A worker continues for a while after process.exit(), so the error ends the engine.
    quit(status, error) {
      throw error;
    },
  });
  const { copied } = workerData;
  if (copied === undefined) process.exit(commandLine.callMain(workerData.args));
  commandLine.copyMemory(copied.image);
  copied.image = undefined;
  commandLine.runCopy(copied.work, copied.stackPointer);
} catch (error) {
  endAs(error);
}
