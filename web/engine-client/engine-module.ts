// The seam to a compiled engine, as Emscripten makes it. What its functions are called, take and return: engine-calls.ts.

type CcallType = 'string' | 'number';

export interface CallableModule {
  ccall(
    name: string,
    returns: CcallType | null,
    argument_types: CcallType[],
    values: (string | number)[],
  ): unknown;
}

export interface EngineModule extends CallableModule {
  wasmMemory: WebAssembly.Memory;
  PThread: {
    terminateAllThreads(): void;
    /** Those that carry no thread of the engine yet, and those that do. */
    unusedWorkers: Worker[];
    runningWorkers: Worker[];
  };
}

/** The modelled server's: one thread, and memory that grows, so no view of it may be kept. */
export interface VirtualModule extends CallableModule {
  wasmMemory: WebAssembly.Memory;
}
