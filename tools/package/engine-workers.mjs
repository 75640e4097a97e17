// Executes tasks of the engine in worker threads, because the engine blocks its thread.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

import { UsageError } from '../processes.mjs';

const beside = (path) => new URL(path, import.meta.url);
const SCRIPT = beside('./engine-virtual.mjs').href;
const VIRTUAL_ENGINE = /^engine-virtual-.*\.wasm$/;

let compiled;

/** Compiles the page's engine for the virtual server, once. */
function engineModule() {
  const assets = beside('../dist/assets/');
  const file = readdirSync(fileURLToPath(assets)).find((name) => VIRTUAL_ENGINE.test(name));
  return (compiled ??= WebAssembly.compile(readFileSync(new URL(file, assets))));
}

/**
 * Executes a task of run-worker.mjs.
 * @param {object} task
 * @param {{ signal?: AbortSignal, onProgress?: (done: number) => void }} [options]
 * @returns {Promise<string>} what the engine wrote. Rejects with a UsageError if the engine refuses the
 *   task.
 */
export async function inWorker(task, { signal, onProgress } = {}) {
  signal?.throwIfAborted();
  const module = await engineModule();
  signal?.throwIfAborted();
  const worker = new Worker(beside('./run-worker.mjs'), { workerData: { script: SCRIPT, module, task } });
  let abort;
  return new Promise((resolve, reject) => {
    abort = () => reject(signal.reason);
    signal?.addEventListener('abort', abort, { once: true });
    worker.on('message', ({ progress, text, refusal }) => {
      if (progress !== undefined) onProgress?.(progress);
      else if (refusal !== undefined) reject(new UsageError(refusal));
      else resolve(text);
    });
    worker.on('error', reject);
    worker.on('exit', (code) => reject(new Error(`The engine stopped with exit code ${code}.`)));
  }).finally(() => {
    signal?.removeEventListener('abort', abort);
    return worker.terminate();
  });
}
