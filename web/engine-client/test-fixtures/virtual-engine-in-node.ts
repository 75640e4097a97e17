import type { EngineLoader } from '../engine-host';
import type { VirtualModule } from '../engine-module';
import createEngine from '../gen/engine-virtual.mjs';
import { VirtualHost, type WorkerLike } from '../virtual-host';
import type { Receipt, Report, Request } from '../virtual-protocol';
import { VirtualServer } from '../virtual-server';

/** The worker of the modelled server in this process: the same server and the same messages, each a task of its own. */
class WorkerInProcess implements WorkerLike {
  onmessage: ((event: MessageEvent<Report>) => void) | null = null;
  onerror = null;
  onmessageerror = null;
  #server: VirtualServer | null = null;

  async load(): Promise<void> {
    const module = (await createEngine({})) as VirtualModule;
    this.#server = new VirtualServer(module, {
      report: (report) => setTimeout(() => this.onmessage?.({ data: report } as MessageEvent<Report>), 0),
      schedule: (turn) => setTimeout(turn, 0),
      now_ms: () => performance.now(),
    });
  }

  postMessage(request: Request | Receipt): void {
    setTimeout(() => this.#server?.handle(request), 0);
  }

  terminate(): void {
    this.#server = null;
  }
}

/** The page's own engine on the modelled server, compiled, without a browser. */
export const loadVirtualEngineInNode: EngineLoader = ({ onFailure }) => {
  const worker = new WorkerInProcess();
  const host = VirtualHost.load(worker, onFailure, (callback) => setTimeout(callback, 16, 0));
  worker.load().catch((error: unknown) => {
    onFailure(String(error));
  });
  return host;
};
