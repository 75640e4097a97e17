// Compiles latches and workloads in a separate worker, so that a source of any length does not block
// the page.
import type { Compiled } from '../analysis/latch-language/compile';
import type { CompiledWorkload } from '../analysis/workload-language/compile';
import type { CompileAnswer, CompileRequest, SourceKind } from './source-compiler-worker';

interface Waiting {
  resolve: (compiled: CompileAnswer['compiled']) => void;
  reject: (error: Error) => void;
}

let worker: Worker | null = null;
let lastId = 0;
const waiting = new Map<number, Waiting>();

/**
 * Rejects if the worker cannot be loaded. Without workers, as in unit tests, it compiles in this
 * thread.
 */
export async function compileLatch(source: string): Promise<Compiled> {
  if (typeof Worker === 'undefined')
    return (await import('../analysis/latch-language/compile')).compile(source);
  return (await compiledInWorker('latch', source)) as Compiled;
}

/** Compiles a workload, otherwise like `compileLatch`. */
export async function compileWorkload(source: string): Promise<CompiledWorkload> {
  if (typeof Worker === 'undefined')
    return (await import('../analysis/workload-language/compile')).compileWorkload(source);
  return (await compiledInWorker('workload', source)) as CompiledWorkload;
}

function compiledInWorker(kind: SourceKind, source: string): Promise<CompileAnswer['compiled']> {
  worker ??= startedWorker();
  lastId += 1;
  const id = lastId;
  const request: CompileRequest = { id, kind, source };
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject });
    worker!.postMessage(request);
  });
}

function startedWorker(): Worker {
  const started = new Worker(new URL('./source-compiler-worker.ts', import.meta.url), {
    type: 'module',
    name: 'source-compiler',
  });
  started.onmessage = ({ data: { id, compiled } }: MessageEvent<CompileAnswer>) => {
    waiting.get(id)?.resolve(compiled);
    waiting.delete(id);
  };
  started.onerror = (event) => {
    event.preventDefault();
    const error = new Error(`The compiler failed: ${event.message || 'it could not be loaded'}`);
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
    started.terminate();
    worker = null;
  };
  return started;
}
