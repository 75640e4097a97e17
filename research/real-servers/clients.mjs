// Clients of a server, spread over as many threads as the machine has cores. One Node thread cannot
// load a large server.
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';

const SCRIPT = new URL('./client-worker.mjs', import.meta.url);

/** Counts runs within this process, so that every operation has a unique id. */
let runs = 0;

/**
 * @typedef {{ statement: string, parameters?: object, seconds: number, times?: boolean }} Order
 *   `times`: whether to record when each operation began and ended, in milliseconds of the wall
 *   clock
 */

export class Clients {
  #workers;

  /**
   * @param {import('./connect.mjs').Address} address
   * @param {{ count: number, setUp?: string[], batch?: number }} clients `setUp`: statements that
   *   each client sends before counting begins; `batch`: operations per message, so that the server
   *   does not wait between them
   * @returns {Promise<Clients>} connected clients
   */
  static async open(address, { count, setUp = [], batch = 1 }) {
    const threads = Math.min(count, availableParallelism());
    const workers = Array.from({ length: threads }, (_, worker) => {
      const clients = Array.from({ length: count }, (_, i) => i).filter((i) => i % threads === worker);
      return new Worker(SCRIPT, { workerData: { address, clients, setUp, worker, batch } });
    });
    await Promise.all(workers.map(answerOf));
    return new Clients(workers);
  }

  constructor(workers) {
    this.#workers = workers;
  }

  /**
   * @param {Order} order
   * @returns {Promise<{ operations: number, spans: [number, number][] }>}
   */
  async run(order) {
    runs += 1;
    const answers = this.#workers.map((worker) => {
      const answer = answerOf(worker);
      worker.postMessage({ parameters: {}, ...order, run: `${process.pid}-${runs}` });
      return answer;
    });
    const results = await Promise.all(answers);
    return {
      operations: results.reduce((sum, { operations }) => sum + operations, 0),
      spans: results.flatMap(({ spans }) => spans),
    };
  }

  async close() {
    const ended = this.#workers.map((worker) => new Promise((resolve) => worker.once('exit', resolve)));
    for (const worker of this.#workers) worker.postMessage('end');
    await Promise.all(ended);
  }
}

function answerOf(worker) {
  return new Promise((resolve, reject) => {
    const done = (settle, value) => {
      worker.removeAllListeners('message');
      worker.removeAllListeners('error');
      settle(value);
    };
    worker.once('error', (error) => done(reject, error));
    worker.once('message', (answer) =>
      answer.failed ? done(reject, new Error(answer.failed)) : done(resolve, answer),
    );
  });
}
