import { join } from 'node:path';

import type { EngineLoader, HostHooks } from '../engine-host';
import type { VirtualModule } from '../engine-calls';
import createEngine from '../gen/engine-virtual.mjs';
import { VirtualHost, type WorkerLike } from '../virtual-host';
import type { Message, Report } from '../virtual-protocol';
import { VirtualServer } from '../virtual-server';

/** Runs `task` after tasks that wait already, like a message to oneself. */
export function asTask(task: () => void): void {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    task();
  };
  port2.postMessage(null);
}

/** Also works if a document exists, as in tests of views. */
const besideItsModule = (name: string) => join(import.meta.dirname, '../gen', name);

const workers = new Set<WorkerInProcess>();

/**
 * Runs the modeled server's worker in this process, with the same server and messages. Each
 * message is a task of its own.
 */
class WorkerInProcess implements WorkerLike {
  onmessage: ((event: MessageEvent<Report>) => void) | null = null;
  onerror = null;
  onmessageerror = null;
  #server: VirtualServer | null = null;
  readonly #nowMs: () => number;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  async load(): Promise<void> {
    const module = (await createEngine({ locateFile: besideItsModule })) as VirtualModule;
    this.#server = new VirtualServer(module, {
      report: (report) => asTask(() => this.onmessage?.({ data: report } as MessageEvent<Report>)),
      schedule: asTask,
      nowMs: this.#nowMs,
    });
  }

  postMessage(message: Message): void {
    asTask(() => this.#server?.handle(message));
  }

  terminate(): void {
    this.#server = null;
    this.onmessage = null;
  }
}

/** Ends the engines that a test has left, which would run during the next tests. */
export function endVirtualEngines(): void {
  for (const worker of workers) worker.terminate();
  workers.clear();
}

/**
 * Loads the page's compiled engine of the modeled server without a browser. `nowMs` is its host's
 * clock.
 */
const loadInNode = (hooks: HostHooks, nowMs: () => number) => {
  const worker = new WorkerInProcess(nowMs);
  workers.add(worker);
  const host = VirtualHost.load(worker, hooks, (callback) => {
    asTask(() => {
      // The host of an ended engine must not miss it, because its session would load another.
      if (workers.has(worker)) callback(performance.now());
    });
  });
  worker.load().catch((error: unknown) => hooks.onFailure(String(error)));
  return host;
};

export const loadVirtualEngineInNode: EngineLoader = (hooks) => loadInNode(hooks, () => performance.now());

/** Loads it on a host that is a hundred times slower. */
export const loadVirtualEngineOnSlowHost: EngineLoader = (hooks) =>
  loadInNode(hooks, () => performance.now() * 100);
