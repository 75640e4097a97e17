// Executes the items of a batch, as many at a time as the machine has CPUs.
import { availableParallelism } from 'node:os';

import PQueue from 'p-queue';

/**
 * Returns the results in the order of the items. If one fails, or if the signal is aborted, the
 * others end and the promise rejects.
 * @template Item, Result
 * @param {readonly Item[]} items
 * @param {(item: Item, options: { signal: AbortSignal, onProgress: (done: number) => void }) =>
 *   Promise<Result>} execute reports the part of the item that is done, from 0 to 1
 * @param {{ signal?: AbortSignal, onProgress?: (done: number) => void }} [options] `onProgress`:
 *   called with the part of the batch that is done
 * @returns {Promise<Result[]>}
 */
export async function runBatch(items, execute, { signal, onProgress } = {}) {
  const queue = new PQueue({ concurrency: availableParallelism() });
  const failure = new AbortController();
  const both = signal === undefined ? failure.signal : AbortSignal.any([signal, failure.signal]);
  const done = items.map(() => 0);
  const started = items.map((item, place) =>
    queue.add(() => {
      const reportPart = (part) => {
        done[place] = part;
        onProgress?.(done.reduce((sum, one) => sum + one, 0) / items.length);
      };
      return execute(item, { signal: both, onProgress: reportPart });
    }),
  );
  try {
    return await Promise.all(started);
  } finally {
    queue.clear();
    failure.abort();
  }
}
