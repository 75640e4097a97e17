// Declares a compiled engine as Emscripten builds it. engine-calls.ts has the names and types of
// its functions.

type CcallType = 'string' | 'number';

export interface CallableModule {
  ccall(
    name: string,
    returns: CcallType | null,
    argumentTypes: CcallType[],
    values: (string | number)[],
  ): unknown;
}

export interface EngineModule extends CallableModule {
  wasmMemory: WebAssembly.Memory;
  PThread: {
    terminateAllThreads(): void;
    /** Workers without an engine thread, and workers with one. */
    unusedWorkers: Worker[];
    runningWorkers: Worker[];
  };
}

/**
 * The modeled server's module: one thread and growing memory. Views of its memory become invalid
 * when it grows, so do not store them.
 */
export interface VirtualModule extends CallableModule {
  wasmMemory: WebAssembly.Memory;
}
