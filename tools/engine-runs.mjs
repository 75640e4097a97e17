// Executes run specs, as many at a time as the machine has CPUs. The longest run starts first, so
// that no CPU idles at the end.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';

import PQueue from 'p-queue';

import { runNativelyAsText } from './native-engine.mjs';

/**
 * @typedef {'threads' | 'virtual' | 'wasm'} Engine
 * @typedef {{ result: any, sha256: string }} Outcome a run result, whose invariants may be broken,
 *   and the digest of its text
 */

export class EngineRuns {
  #carryOut;
  #queue;
  #known = new Map();

  /**
   * @param {(engine: Engine, spec: object) => Promise<string>} replay returns the text of the run
   *   result
   * @param {number} [concurrency]
   */
  constructor(carryOut, concurrency = availableParallelism()) {
    this.#carryOut = carryOut;
    this.#queue = new PQueue({ concurrency });
  }

  /** @param {Partial<Record<Engine, string>>} folders build folders */
  static on(folders) {
    return new EngineRuns((engine, spec) =>
      (engine === 'wasm' ? runInWorker : runNativelyAsText)(folders[engine], spec),
    );
  }

  /**
   * Executes equal specs only once and shares the outcome.
   * @param {Engine} engine
   * @param {object} spec run spec with a duration
   * @returns {Promise<Outcome>}
   */
  once(engine, spec) {
    const key = `${engine} ${canonical(spec)}`;
    if (!this.#known.has(key)) this.#known.set(key, this.run(engine, spec));
    return this.#known.get(key);
  }

  /**
   * Always executes the spec, even if it was executed before.
   * @returns {Promise<Outcome>}
   */
  run(engine, spec) {
    const { duration_s, threads = 1 } = spec;
    return this.#queue.add(
      async () => {
        const text = await this.#carryOut(engine, spec);
        return { result: JSON.parse(text), sha256: createHash('sha256').update(text.trim()).digest('hex') };
      },
      { priority: duration_s * threads },
    );
  }
}

/** Returns a key that is equal for equal specs, whatever the order of their fields. */
const canonical = (spec) =>
  JSON.stringify(spec, (_, value) =>
    value?.constructor === Object ? Object.fromEntries(Object.entries(value).sort()) : value,
  );

/**
 * Runs WebAssembly in a worker thread, because it would block the main thread, which schedules the
 * runs.
 */
function runInWorker(folder, spec) {
  const worker = new Worker(new URL('./wasm-engine-worker.mjs', import.meta.url), {
    workerData: { folder, spec },
  });
  return once(worker, 'message').then(([text]) => text);
}
