import { expect, test } from 'vitest';

import { BlockCopier } from './block-copy';
import { Engine, EngineFailure, type EngineVersion } from './engine';
import type { HostHooks } from './engine-host';
import { layout, thread_states } from './gen/telemetry-layout';
import type { RunState } from './snapshot';
import { TelemetryBlock } from './test-fixtures/telemetry-block';
import { VirtualHost, type WorkerLike } from './virtual-host';
import type { Receipt, Report, Request, Snapshot } from './virtual-protocol';

/** A worker whose answers the test gives. */
class ScriptedWorker implements WorkerLike {
  readonly requests: Request[] = [];
  receipts = 0;
  onmessage: WorkerLike['onmessage'] = null;
  onerror: WorkerLike['onerror'] = null;
  is_terminated = false;
  readonly #block = new TelemetryBlock(new ArrayBuffer(layout.bytes));

  postMessage(message: Request | Receipt): void {
    if (message.kind === 'receipt') this.receipts += 1;
    else this.requests.push(message);
  }
  terminate(): void {
    this.is_terminated = true;
  }
  report(report: Report): void {
    this.onmessage?.({ data: report } as MessageEvent<Report>);
  }
  snapshot(run_state: RunState, run_ns = 0): Snapshot {
    this.#block.setThread(layout.threads.count - 1, 'sleeping', 1);
    const buffer = new BlockCopier().copy(this.#block.buffer as ArrayBuffer, 0, { run_ns, run_state });
    const none = new Float64Array(thread_states.length);
    return {
      block: { buffer, state_times: { clients: none, servers: none } },
      readings: { run_ns, events: 0, host_ms: 0 },
      lanes: { run_generation: 0, first: 0, segments: new ArrayBuffer(0), clock_less_run_ns: 0 },
    };
  }
}

async function loadedEngine() {
  const worker = new ScriptedWorker();
  const loading = Engine.load(
    ({ onFailure }: HostHooks) => VirtualHost.load(worker, onFailure),
    () => Promise.resolve(),
  );
  worker.report({ kind: 'loaded', version: {} as EngineVersion, snapshot: worker.snapshot('idle') });
  return { worker, engine: await loading };
}

test('an answer reaches who asked, in any order', async () => {
  const { worker, engine } = await loadedEngine();
  const checks = [engine.check({ threads: 1 }), engine.check({ threads: 0 })];
  const [first, second] = worker.requests;
  worker.report({ kind: 'answer', id: second!.id, answer: '[{"field":"threads"}]' });
  worker.report({ kind: 'answer', id: first!.id, answer: '[]' });
  expect(await Promise.all(checks)).toEqual([[], [{ field: 'threads' }]]);
});

test('what the worker says replaces the telemetry block', async () => {
  const { worker, engine } = await loadedEngine();
  worker.report({ kind: 'snapshot', snapshot: worker.snapshot('running', 5_000), is_reading: false });
  expect(engine.telemetry.header()).toMatchObject({ run_state: 'running', run_ns: 5_000 });
  expect(engine.model?.readings().run_ns).toBe(5_000);
});

test('whoever asked for readings is told when the telemetry is one, and only then', async () => {
  const { worker, engine } = await loadedEngine();
  const read_ns: number[] = [];
  const asked = engine.readEvery(500, () => read_ns.push(engine.telemetry.header().run_ns));
  expect(worker.requests).toMatchObject([{ kind: 'read_every', run_ns: 500 }]);
  worker.report({ kind: 'answer', id: worker.requests[0]!.id, answer: null });
  await asked;
  for (const [run_ns, is_reading] of [
    [500, true],
    [740, false],
    [1000, true],
  ] as const)
    worker.report({ kind: 'snapshot', snapshot: worker.snapshot('running', run_ns), is_reading });
  expect(read_ns).toEqual([500, 1000]);
  expect(worker.receipts).toBe(2);
});

test('a pause freezes time', async () => {
  const { worker, engine } = await loadedEngine();
  const paused = engine.pause();
  expect(worker.requests).toMatchObject([{ kind: 'freeze', is_frozen: true }]);
  worker.report({ kind: 'answer', id: worker.requests[0]!.id, answer: null });
  await paused;
});

test('a worker that fails says why to who waits, and to who comes after', async () => {
  const { worker, engine } = await loadedEngine();
  const started = engine.start();
  worker.report({ kind: 'failed', text: 'aborted: OOM' });
  await expect(started).rejects.toBeInstanceOf(EngineFailure);
  await expect(engine.stop()).rejects.toThrow('aborted: OOM');
  engine.dispose();
  expect(worker.is_terminated).toBe(true);
});
