// The worker in which the modelled server runs. One thread, no shared memory: it needs no cross-origin isolation.
import type { VirtualModule } from './engine-module';
import createEngine from './gen/engine-virtual.mjs';
import type { Message, Report } from './virtual-protocol';
import { VirtualServer } from './virtual-server';

interface WorkerScope {
  onmessage: ((event: MessageEvent<Message>) => void) | null;
  postMessage(report: Report, transfer?: Transferable[]): void;
}
const scope = globalThis as unknown as WorkerScope;

// A message to oneself comes after those of the page that wait already.
const turns = new MessageChannel();
let next_turn: (() => void) | null = null;
turns.port1.onmessage = () => next_turn?.();

function schedule(turn: () => void, when: 'now' | 'next_frame'): void {
  next_turn = turn;
  if (when === 'next_frame') requestAnimationFrame(turn);
  else turns.port2.postMessage(null);
}

const fail = (reason: unknown) => {
  scope.postMessage({ kind: 'failed', text: `aborted: ${String(reason)}` });
};

try {
  const module = (await createEngine({ onAbort: fail })) as VirtualModule;
  const server = new VirtualServer(module, {
    report: (report, transfer = []) => {
      scope.postMessage(report, transfer);
    },
    schedule,
    now_ms: () => performance.now(),
  });
  scope.onmessage = ({ data }) => {
    server.handle(data);
  };
} catch (error) {
  fail(error);
}
