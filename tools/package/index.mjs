// The functions of the npm package (api.d.ts). Each run has a worker thread of its own, because the
// engine blocks its thread.
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

import PQueue from 'p-queue';

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

/** Executes a task of run-worker.mjs and returns its result. */
async function inWorker(task, { signal, onProgress } = {}) {
  signal?.throwIfAborted();
  const module = await engineModule();
  signal?.throwIfAborted();
  const worker = new Worker(beside('./run-worker.mjs'), { workerData: { script: SCRIPT, module, task } });
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal?.addEventListener('abort', abort, { once: true });
    worker.on('message', ({ progress, text, refusal }) => {
      if (progress !== undefined) onProgress?.(progress);
      else if (refusal !== undefined) reject(new Error(refusal));
      else resolve(JSON.parse(text));
    });
    worker.on('error', reject);
    worker.on('exit', (code) => reject(new Error(`The engine stopped with exit code ${code}.`)));
  }).finally(() => worker.terminate());
}

const complete = (spec) => ({ version: 1, ...spec, platform: 'virtual' });

export const run = (spec, options) => inWorker({ kind: 'run', spec: complete(spec) }, options);

export function explain(spec, { transaction = 'slowest', blame = false, ...options } = {}) {
  return inWorker({ kind: 'explain', spec: complete(spec), wanted: { transaction, blame } }, options);
}

export async function whatIf(spec, points, { seeds = 1, signal, onProgress } = {}) {
  const first = spec.seed ?? 1;
  const done = points.map(() => Array.from({ length: seeds }, () => 0));
  const queue = new PQueue({ concurrency: availableParallelism() });
  const stop = new AbortController();
  const both = signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal]);
  const report = () => onProgress?.(done.flat().reduce((sum, one) => sum + one, 0) / (points.length * seeds));
  const outcomeOf = (point, seed) =>
    queue.add(() => {
      const changed = points[point].whatIf === undefined ? {} : { what_if: points[point].whatIf };
      const task = { kind: 'outcome', spec: complete({ ...spec, seed: first + seed, ...changed }) };
      const reportPart = (part) => {
        done[point][seed] = part;
        report();
      };
      return inWorker(task, { signal: both, onProgress: reportPart });
    });
  try {
    const measured = await Promise.all(
      points.map(async ({ name, whatIf: change }, point) => ({
        name,
        ...(change === undefined ? {} : { what_if: change }),
        runs: await Promise.all(done[point].map((_, seed) => outcomeOf(point, seed))),
      })),
    );
    const study = {
      version: 1,
      spec: measured[0]?.runs[0]?.spec ?? complete(spec),
      seeds,
      from_s: 0,
      points: measured.map((point) => ({ ...point, runs: point.runs.map(({ outcome }) => outcome) })),
    };
    return await inWorker({ kind: 'report', study }, { signal });
  } finally {
    queue.clear();
    stop.abort();
  }
}
