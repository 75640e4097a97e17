// The seam to a compiled engine: wasm-engine/api/latchscope.h as Emscripten exports it. Nothing else crosses.

export interface EngineModule {
  ccall(name: string, returns: 'string', argument_types: 'string'[], values: string[]): string;
  ccall(name: string, returns: 'number', argument_types: 'string'[], values: string[]): number;
  ccall(name: string, returns: null, argument_types: 'string'[], values: string[]): null;
  wasmMemory: WebAssembly.Memory;
  PThread: {
    terminateAllThreads(): void;
    /** Those that carry no thread of the engine yet, and those that do. */
    unusedWorkers: Worker[];
    runningWorkers: Worker[];
  };
}

/** The modelled server's: one thread, and memory that grows, so no view of it may be kept. */
export interface VirtualModule {
  ccall(name: string, returns: 'string', argument_types: 'string'[], values: string[]): string;
  ccall(name: string, returns: 'number', argument_types: 'string'[], values: string[]): number;
  ccall(name: string, returns: null, argument_types: 'number'[], values: number[]): null;
  wasmMemory: WebAssembly.Memory;
}
