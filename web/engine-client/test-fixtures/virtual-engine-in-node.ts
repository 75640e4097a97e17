import { join } from 'node:path';

import type { EngineLoader } from '../engine-host';
import type { VirtualModule } from '../engine-module';
import createEngine from '../gen/engine-virtual.mjs';
import { VirtualHost, type WorkerLike } from '../virtual-host';
import type { Message, Report } from '../virtual-protocol';
import { VirtualServer } from '../virtual-server';

/** Does it after what waits already, as a message to oneself. */
export function asTask(task: () => void): void {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    task();
  };
  port2.postMessage(null);
}

/** Also where there is a document, as in tests of views. */
const besideItsModule = (name: string) => join(import.meta.dirname, '../gen', name);

/** The worker of the modelled server in this process: the same server and the same messages, each a task of its own. */
class WorkerInProcess implements WorkerLike {
  onmessage: ((event: MessageEvent<Report>) => void) | null = null;
  onerror = null;
  onmessageerror = null;
  #server: VirtualServer | null = null;

  async load(): Promise<void> {
    const module = (await createEngine({ locateFile: besideItsModule })) as VirtualModule;
    this.#server = new VirtualServer(module, {
      report: (report) => {
        asTask(() => this.onmessage?.({ data: report } as MessageEvent<Report>));
      },
      schedule: asTask,
      now_ms: () => performance.now(),
    });
  }

  postMessage(message: Message): void {
    asTask(() => this.#server?.handle(message));
  }

  terminate(): void {
    this.#server = null;
  }
}

/** The page's own engine on the modelled server, compiled, without a browser. */
export const loadVirtualEngineInNode: EngineLoader = ({ onFailure }) => {
  const worker = new WorkerInProcess();
  const host = VirtualHost.load(worker, onFailure, (callback) => {
    asTask(() => {
      callback(performance.now());
    });
  });
  worker.load().catch((error: unknown) => {
    onFailure(String(error));
  });
  return host;
};
