import { describe, expect, test } from 'vitest';

import { BlockCopier } from './block-copy';
import { Engine, EngineFailure } from './engine';
import { abi_hash } from '../contract/gen/engine-abi';
import type { EngineVersion } from '../contract/page-readings';
import type { HostHooks } from './engine-host';
import { layout, thread_states } from '../contract/gen/telemetry-layout';
import type { RunState } from '../contract/telemetry-states';
import { TelemetryBlock } from './test-fixtures/telemetry-block';
import { VirtualHost, type WorkerLike } from './virtual-host';
import type { Message, Report, Request, Snapshot, Spare } from './virtual-protocol';

/** A worker whose answers the test supplies. */
class ScriptedWorker implements WorkerLike {
  readonly requests: Request[] = [];
  receipts = 0;
  readonly spares: Omit<Spare, 'kind'>[] = [];
  onmessage: WorkerLike['onmessage'] = null;
  onerror: WorkerLike['onerror'] = null;
  onmessageerror: WorkerLike['onmessageerror'] = null;
  isTerminated = false;
  readonly #block = new TelemetryBlock(new ArrayBuffer(layout.bytes));

  postMessage(message: Message): void {
    if (message.kind === 'receipt') this.receipts += 1;
    else if (message.kind === 'spare') this.spares.push(message);
    else this.requests.push(message);
  }
  terminate(): void {
    this.isTerminated = true;
  }
  report(report: Report): void {
    this.onmessage?.({ data: report } as MessageEvent<Report>);
  }
  snapshot(runState: RunState, runNs = 0): Snapshot {
    this.#block.setThread(layout.threads.count - 1, 'sleeping', 1);
    const buffer = new BlockCopier().copy(this.#block.buffer as ArrayBuffer, 0, { runNs, runState });
    const none = new Float64Array(thread_states.length);
    return {
      block: { buffer, stateTimes: { clients: none, servers: none, now: new Uint8Array() } },
      readings: { run_ns: runNs, events: 0, host_ms: 0, past: null },
      lanes: { runGeneration: 0, first: 0, segments: new Uint8Array(8), clockLessRunNs: 0 },
      latchEvents: {
        runGeneration: 0,
        first: 0,
        isWholeRing: false,
        events: new ArrayBuffer(0),
        watched: [],
        clockLessRunNs: 0,
      },
    };
  }
}

const atOnce: HostHooks['inNextFrame'] = (work) => {
  work();
};

async function loadedEngine({ inNextFrame = atOnce } = {}) {
  const worker = new ScriptedWorker();
  const frames: ((nowMs: number) => void)[] = [];
  const loading = Engine.load(
    (hooks: HostHooks) => VirtualHost.load(worker, hooks, (callback) => frames.push(callback)),
    { nextFrame: () => Promise.resolve(), inNextFrame },
  );
  worker.report({
    kind: 'loaded',
    version: { abi_hash } as EngineVersion,
    snapshot: worker.snapshot('idle'),
  });
  let nowMs = 0;
  /** Lets this many seconds pass while the page is awake. */
  const passSeconds = (seconds: number) => {
    for (const endsMs = nowMs + seconds * 1000; nowMs < endsMs; nowMs += 50)
      for (const callback of frames.splice(0)) callback(nowMs);
  };
  return { worker, engine: await loading, passSeconds };
}

test('answers reach their callers in any order', async () => {
  const { worker, engine } = await loadedEngine();
  const checks = [engine.check({ threads: 1 }), engine.check({ threads: 0 })];
  const [first, second] = worker.requests;
  worker.report({ kind: 'answer', id: second!.id, answer: '[{"field":"threads"}]' });
  worker.report({ kind: 'answer', id: first!.id, answer: '[]' });
  expect(await Promise.all(checks)).toEqual([[], [{ field: 'threads' }]]);
});

test('a message from the worker replaces the telemetry block', async () => {
  const { worker, engine } = await loadedEngine();
  worker.report({ kind: 'snapshot', snapshot: worker.snapshot('running', 5_000), reading: null });
  expect(engine.telemetry.header()).toMatchObject({ runState: 'running', runNs: 5_000 });
  expect(engine.model?.readings().run_ns).toBe(5_000);
});

test('a listener for readings is called for readings only', async () => {
  const { worker, engine } = await loadedEngine();
  const readNs: number[] = [];
  const asked = engine.readEvery(500, () => readNs.push(engine.telemetry.header().runNs));
  expect(worker.requests).toMatchObject([{ kind: 'read_every', runNs: 500 }]);
  worker.report({ kind: 'answer', id: worker.requests[0]!.id, answer: null });
  await asked;
  for (const [runNs, isReading] of [
    [500, true],
    [740, false],
    [1000, true],
  ] as const)
    worker.report({
      kind: 'snapshot',
      snapshot: worker.snapshot('running', runNs),
      reading: isReading ? { number: 1, isKept: false } : null,
    });
  expect(readNs).toEqual([500, 1000]);
  expect(worker.receipts).toBe(2);
});

test('a pause freezes time', async () => {
  const { worker, engine } = await loadedEngine();
  await expect(engine.pause()).rejects.toThrow('No run is active.');
  worker.report({ kind: 'snapshot', snapshot: worker.snapshot('running'), reading: null });
  const paused = engine.pause();
  expect(worker.requests).toMatchObject([{ kind: 'freeze', isFrozen: true }]);
  worker.report({ kind: 'answer', id: worker.requests[0]!.id, answer: null });
  await paused;
});

test('a failed worker reports the reason to pending and later callers', async () => {
  const { worker, engine } = await loadedEngine();
  const started = engine.start();
  worker.report({ kind: 'failed', text: 'aborted: OOM' });
  await expect(started).rejects.toBeInstanceOf(EngineFailure);
  await expect(engine.stop()).rejects.toThrow('aborted: OOM');
  engine.dispose();
  expect(worker.isTerminated).toBe(true);
});

test.each<[what: string, fails: (worker: ScriptedWorker) => void, text: RegExp]>([
  [
    'throws',
    ({ onerror }) =>
      onerror?.({ message: 'RangeError: out of memory', preventDefault: () => undefined } as ErrorEvent),
    /^The engine ran out of memory\. The virtual server worker failed: RangeError/,
  ],
  [
    'sends what nobody can read',
    ({ onmessageerror }) => onmessageerror?.({} as MessageEvent),
    /Could not read a message/,
  ],
])('a worker that %s ends whatever waits for it', async (_, fails, text) => {
  const { worker, engine } = await loadedEngine();
  const waiting = [
    engine.start(),
    engine.check({}),
    engine.resultJson(),
    engine.setPace(1),
    engine.finished(),
  ];
  fails(worker);
  for (const outcome of await Promise.allSettled(waiting)) {
    expect(outcome).toMatchObject({ status: 'rejected', reason: { name: 'EngineFailure' } });
    expect((outcome as PromiseRejectedResult).reason).toHaveProperty('message', expect.stringMatching(text));
  }
  await expect(engine.check({})).rejects.toBeInstanceOf(EngineFailure);
});

test('a discarded engine settles everything that waits for it', async () => {
  const { engine } = await loadedEngine();
  const waiting = [
    engine.start(),
    engine.check({}),
    engine.resultJson(),
    engine.setPace(1),
    engine.finished(),
  ];
  engine.dispose();
  for (const outcome of await Promise.allSettled(waiting)) {
    expect(outcome).toMatchObject({ status: 'rejected', reason: { name: 'EngineFailure' } });
  }
});

describe('a worker that falls silent', () => {
  test('is asked, and declared dead after half a minute in which the page was awake', async () => {
    const { worker, engine, passSeconds } = await loadedEngine();
    worker.report({ kind: 'snapshot', snapshot: worker.snapshot('running'), reading: null });
    const finished = expect(engine.finished()).rejects.toThrow('has not answered for 30 seconds');
    passSeconds(29);
    expect(worker.requests.filter(({ kind }) => kind === 'ping').length).toBeGreaterThan(20);
    expect(engine.failure()).toBeNull();
    passSeconds(2);
    await finished;
  });

  test('is left alone while it answers', async () => {
    const { worker, engine, passSeconds } = await loadedEngine();
    worker.report({ kind: 'snapshot', snapshot: worker.snapshot('running'), reading: null });
    for (let i = 0; i < 100; i += 1) {
      passSeconds(2);
      for (const { id } of worker.requests.splice(0)) worker.report({ kind: 'answer', id, answer: null });
    }
    expect(engine.failure()).toBeNull();
  });

  test('is not asked while no answer is expected', async () => {
    const { worker, engine, passSeconds } = await loadedEngine();
    passSeconds(100);
    worker.report({ kind: 'snapshot', snapshot: worker.snapshot('paused'), reading: null });
    passSeconds(100);
    expect(worker.requests).toEqual([]);
    expect(engine.failure()).toBeNull();
  });
});

test('a block and segments that are no longer read go back to the worker', async () => {
  const { worker, engine } = await loadedEngine();
  const [first, second] = [worker.snapshot('running', 500), worker.snapshot('running', 740)];
  worker.report({ kind: 'snapshot', snapshot: first, reading: null });
  worker.report({ kind: 'snapshot', snapshot: second, reading: null });
  expect(worker.spares.at(-1)!.block).toBe(first.block.buffer);
  expect(worker.spares.at(-1)!.segments).toBe(second.lanes.segments.buffer);
  expect(engine.telemetry.header().runNs).toBe(740);
});

describe('a snapshot that the worker sends', () => {
  async function engineInFrames() {
    const frames = new Set<() => void>();
    const { worker, engine } = await loadedEngine({ inNextFrame: (work) => frames.add(work) });
    const tell = (runNs: number) => {
      const reading = { number: 1, isKept: false };
      worker.report({ kind: 'snapshot', snapshot: worker.snapshot('running', runNs), reading });
    };
    const seenNs = () => engine.telemetry.header().runNs;
    const passFrame = () => {
      for (const work of [...frames]) work();
    };
    return { worker, engine, tell, seenNs, passFrame };
  }

  test('is taken in by the next frame', async () => {
    const { worker, tell, seenNs, passFrame } = await engineInFrames();
    tell(500);
    expect(seenNs()).toBe(0);
    passFrame();
    expect(seenNs()).toBe(500);
    passFrame();
    expect(worker.receipts).toBe(1);
  });

  test('is taken in without a frame when another one comes, as in a hidden tab', async () => {
    const { worker, tell, seenNs } = await engineInFrames();
    tell(500);
    tell(740);
    expect(seenNs()).toBe(500);
    expect(worker.receipts).toBe(1);
  });

  test('is taken in before the answer that follows it', async () => {
    const { worker, engine, tell, seenNs } = await engineInFrames();
    const asked = engine.readEvery(500, () => undefined);
    tell(500);
    worker.report({ kind: 'answer', id: worker.requests[0]!.id, answer: null });
    await asked;
    expect(seenNs()).toBe(500);
  });

  test('is dropped when the engine is closed', async () => {
    const { worker, engine, tell, passFrame } = await engineInFrames();
    tell(500);
    engine.dispose();
    passFrame();
    expect(worker.receipts).toBe(0);
  });
});

test('a listener that throws does not keep a reading from being acknowledged', async () => {
  const { worker, engine } = await loadedEngine();
  const asked = engine.readEvery(500, () => {
    throw new Error('a chart');
  });
  worker.report({ kind: 'answer', id: worker.requests[0]!.id, answer: null });
  await asked;
  const snapshot = worker.snapshot('running', 500);
  expect(() => worker.report({ kind: 'snapshot', snapshot, reading: { number: 1, isKept: false } })).toThrow(
    'a chart',
  );
  expect(worker.receipts).toBe(1);
});

test.each([
  ['telemetry block', 7, abi_hash, 'magic is 7'],
  ['C ABI', layout.magic, 7, 'abi_hash is 7'],
])('a worker with the %s of another build is refused, and ended', async (_, magic, hash, why) => {
  const worker = new ScriptedWorker();
  const snapshot = worker.snapshot('idle');
  new Uint32Array(snapshot.block.buffer)[0] = magic;
  const loading = Engine.load((hooks) => VirtualHost.load(worker, hooks));
  worker.report({ kind: 'loaded', version: { abi_hash: hash } as EngineVersion, snapshot });
  await expect(loading).rejects.toThrow(why);
  expect(worker.isTerminated).toBe(true);
});
