// The seam to the compiled engine: wasm-engine/api/latchscope.h as Emscripten exports it. Nothing else crosses.

export interface EngineModule {
  ccall(name: string, returns: 'string', argument_types: 'string'[], values: string[]): string;
  ccall(name: string, returns: 'number', argument_types: 'string'[], values: string[]): number;
  ccall(name: string, returns: null, argument_types: 'string'[], values: string[]): null;
  wasmMemory: WebAssembly.Memory;
  PThread: { terminateAllThreads(): void };
}

/** How a module says that it cannot go on. */
export interface ModuleHooks {
  onAbort: (reason: unknown) => void;
  /** A thread ended with an exception, or could not be loaded. */
  onWorkerError: (text: string) => void;
}

export type EngineLoader = (hooks: ModuleHooks) => Promise<EngineModule>;

// Emscripten reports an error of a worker in these words, and in no other way.
const WORKER_ERROR_PREFIX = 'worker sent an error!';

/** Resolves when all of the engine's threads stand ready. Call it on the main thread only. */
export const loadThreadedEngine: EngineLoader = async ({ onAbort, onWorkerError }) => {
  const { default: createEngine } = await import('./gen/engine-threads.mjs');
  const module = await createEngine({
    onAbort,
    printErr: (line: string) => {
      console.warn(line);
      if (line.startsWith(WORKER_ERROR_PREFIX)) onWorkerError(line);
    },
  });
  return module as EngineModule;
};
