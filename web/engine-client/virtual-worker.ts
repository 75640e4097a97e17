// Runs the modeled server in a worker. It has one thread and no shared memory, so it needs no
// cross-origin isolation.
import type { VirtualModule } from './engine-calls';
import createEngine from './gen/engine-virtual.mjs';
import { abortedText, loadModule } from './load-module';
import type { Message, Report } from './virtual-protocol';
import { VirtualServer } from './virtual-server';

interface WorkerScope {
  onmessage: ((event: MessageEvent<Message>) => void) | null;
  postMessage(report: Report, transfer?: Transferable[]): void;
}
const scope = globalThis as unknown as WorkerScope;

// A message to this worker itself is queued behind waiting messages of the page.
const turns = new MessageChannel();
let nextTurn: (() => void) | null = null;
turns.port1.onmessage = () => nextTurn?.();

function schedule(turn: () => void, when: 'now' | 'next_frame'): void {
  nextTurn = turn;
  if (when === 'next_frame') requestAnimationFrame(turn);
  else turns.port2.postMessage(null);
}

const fail = (text: string) => {
  scope.postMessage({ kind: 'failed', text });
};

try {
  const module = (await loadModule({
    createEngine,
    address: new URL('./gen/engine-virtual.wasm', import.meta.url).href,
    onAbort: (reason) => fail(abortedText(reason)),
  })) as VirtualModule;
  const server = new VirtualServer(module, {
    report: (report, transfer = []) => scope.postMessage(report, transfer),
    schedule,
    nowMs: () => performance.now(),
  });
  scope.onmessage = ({ data }) => server.handle(data);
} catch (error) {
  fail(error instanceof Error ? error.message : String(error));
}
